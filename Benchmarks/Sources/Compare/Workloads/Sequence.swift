import AsyncAlgorithms
import Tidings

extension Workload {
    static let sequence = Workload(
        name: "sequence, burst of 10,000", parameterName: "consumers", unit: .nanoseconds(per: "delivery"),
        count: 10_000
    ) {
        [.notifications(), .stream(), .channel()]
    }
}

extension Contender {
    @MainActor
    fileprivate static func notifications() -> Contender {
        let center = NativeNotificationCenter()
        let notifications = center.notifications(of: Ping.self)
        let tally = Tally()
        let sink = Sink()
        let consumer = Consumer(Task.detached { for await _ in notifications { tally.add() } })
        return .burst(.tidings, to: [tally], keeping: consumer) { count in
            for _ in 0..<count { center.post(Ping(sink: sink)) }
        }
    }

    @MainActor
    fileprivate static func stream() -> Contender {
        let (stream, continuation) = AsyncStream.makeStream(of: Ping.self)
        let tally = Tally()
        let sink = Sink()
        let consumer = Consumer(Task.detached { for await _ in stream { tally.add() } })
        return .burst(.asyncStream, to: [tally], keeping: consumer) { count in
            for _ in 0..<count { continuation.yield(Ping(sink: sink)) }
        }
    }

    @MainActor
    fileprivate static func channel() -> Contender {
        let channel = AsyncChannel<Ping>()
        let tally = Tally()
        let sink = Sink()
        let consumer = Consumer(Task.detached { for await _ in channel { tally.add() } })
        return .burst(.asyncChannel, to: [tally], keeping: consumer) { count in
            for _ in 0..<count { await channel.send(Ping(sink: sink)) }
        }
    }
}
