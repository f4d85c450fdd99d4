import AsyncAlgorithms
import Foundation
import Tidings

extension Workload {
    static let actorBurst = Workload(
        name: "actor observer, burst of 10,000", parameterName: "observers", unit: .nanoseconds(per: "delivery"),
        count: 10_000
    ) {
        [.actorObserver(), .streamIntoActor(), .channelIntoActor(), .asyncMessages(to: 1)]
    }

    /// The observing actor posts the burst itself, so it handles nothing until it has posted everything. Otherwise the
    /// actor would become idle a random number of times, which would cost more than the deliveries. The burst has only
    /// 900 messages, so that the queue is too short to cause a warning.
    static let monitoredActor = Workload(
        name: "actor observer with a monitor: processor time", parameterName: "observers",
        unit: .nanoseconds(per: "delivery"), statistic: .least, count: 900
    ) {
        Watch.allCases.map { .watchedActor($0) }
    }
}

extension Contender {
    @MainActor
    fileprivate static func watchedActor(_ watch: Watch) -> Contender {
        let center = watch.center
        let actor = CountingActor()
        let sink = Sink()
        let token = center.addObserver(actor, on: .actor, for: Ping.self) { actor, _ in actor.add() }
        return .burst(watch.subject, to: [actor.tally], keeping: (actor, token), .processorTime) { count in
            await actor.run {
                for _ in 0..<count { center.post(Ping(sink: sink)) }
            }
        }
    }

    @MainActor
    fileprivate static func actorObserver() -> Contender {
        let center = NativeNotificationCenter()
        let actor = CountingActor()
        let sink = Sink()
        let token = center.addObserver(actor, on: .actor, for: Ping.self) { actor, _ in actor.add() }
        return .burst(.tidings, to: [actor.tally], keeping: (actor, token)) { count in
            for _ in 0..<count { center.post(Ping(sink: sink)) }
        }
    }

    @MainActor
    fileprivate static func streamIntoActor() -> Contender {
        let (stream, continuation) = AsyncStream.makeStream(of: Ping.self)
        let actor = CountingActor()
        let sink = Sink()
        let consumer = Consumer(Task { await actor.count(stream) })
        return .burst(.asyncStream, to: [actor.tally], keeping: consumer) { count in
            for _ in 0..<count { continuation.yield(Ping(sink: sink)) }
        }
    }

    @MainActor
    fileprivate static func channelIntoActor() -> Contender {
        let channel = AsyncChannel<Ping>()
        let actor = CountingActor()
        let sink = Sink()
        let consumer = Consumer(Task { await actor.count(channel) })
        return .burst(.asyncChannel, to: [actor.tally], keeping: consumer) { count in
            for _ in 0..<count { await channel.send(Ping(sink: sink)) }
        }
    }

    /// Each observer forwards the messages to an actor.
    @MainActor
    static func asyncMessages(to observers: Int) -> Contender {
        let center = NotificationCenter()
        let actors = (0..<observers).map { _ in CountingActor() }
        let tokens = actors.map { actor in
            center.addObserver(for: Message.self) { _ in await actor.add() }
        }
        return .burst(.foundationAsyncMessage, to: actors.map(\.tally), keeping: tokens) { count in
            for _ in 0..<count { center.post(Message()) }
        }
    }
}

final class Consumer {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
}

private struct Message: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
}
