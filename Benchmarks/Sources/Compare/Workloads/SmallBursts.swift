import CMachine
import Tidings

/// Measures bursts of three messages: to one actor every 50 microseconds, and to each of 100 actors every millisecond.
extension Workload {
    /// The figure is the processor time for sending and handling the burst of one actor.
    static let smallBursts = Workload(
        name: "bursts of 3 into actors: processor time", parameterName: "actors", unit: .nanoseconds(per: "burst"),
        count: 1000
    ) {
        pairs(.processorTime)
    }

    static let smallBurstLatency = Workload(
        name: "bursts of 3 into actors: latency", parameterName: "actors", unit: .medianNanoseconds, count: 1000
    ) {
        pairs(.latency)
    }

    @MainActor
    private static func pairs(_ figure: PacedBursts.Figure) -> [Contender] {
        [
            PacedBursts(actors: 1, bursts: 1000, interval: 50_000),
            PacedBursts(actors: 100, bursts: 50, interval: 1_000_000),
        ]
        .flatMap { bursts in [.posting(bursts, figure), .yielding(bursts, figure)] }
    }
}

private struct Stamped: TypedNotification {
    let sent = machine_now_nanoseconds()
}

private actor StampedActor {
    nonisolated let tally = Tally()
    private var latencies: [Int64] = []

    func add(_ message: Stamped) {
        latencies.append(machine_now_nanoseconds() - message.sent)
        tally.add()
    }

    func count(_ messages: AsyncStream<Stamped>) async {
        for await message in messages { add(message) }
    }

    func take() -> [Int64] {
        defer { latencies.removeAll(keepingCapacity: true) }
        return latencies
    }
}

private struct PacedBursts {
    enum Figure { case processorTime, latency }

    let actors: Int
    let bursts: Int

    let interval: Int64

    static let size = 3

    /// Sends the bursts. Returns the processor time that the calling thread spent waiting between them.
    func send(_ send: () -> Void) -> Int64 {
        var waiting: Int64 = 0
        var next = machine_now_nanoseconds()
        for _ in 0..<bursts {
            // A thread that lost its core doesn't catch up. Otherwise, late bursts would become one larger burst.
            next = max(next, machine_now_nanoseconds() - interval) + interval
            let began = machine_thread_nanoseconds()
            while machine_now_nanoseconds() < next { machine_pause() }
            waiting += machine_thread_nanoseconds() - began
            for _ in 0..<Self.size { send() }
        }
        return waiting
    }
}

extension Contender {
    @MainActor
    fileprivate static func posting(_ bursts: PacedBursts, _ figure: PacedBursts.Figure) -> Contender {
        let center = NativeNotificationCenter()
        let actors = (0..<bursts.actors).map { _ in StampedActor() }
        let tokens = actors.map { actor in
            center.addObserver(actor, on: .actor, for: Stamped.self) { actor, message in actor.add(message) }
        }
        return paced(.tidings, bursts, figure, to: actors, keeping: tokens) { center.post(Stamped()) }
    }

    @MainActor
    fileprivate static func yielding(_ bursts: PacedBursts, _ figure: PacedBursts.Figure) -> Contender {
        let actors = (0..<bursts.actors).map { _ in StampedActor() }
        let streams = actors.map { _ in AsyncStream.makeStream(of: Stamped.self) }
        let consumers = zip(actors, streams).map { actor, stream in Consumer(Task { await actor.count(stream.stream) })
        }
        let continuations = streams.map(\.continuation)
        return paced(.asyncStream, bursts, figure, to: actors, keeping: consumers) {
            let message = Stamped()
            for continuation in continuations { continuation.yield(message) }
        }
    }

    @MainActor
    private static func paced(
        _ subject: Subject, _ bursts: PacedBursts, _ figure: PacedBursts.Figure, to actors: [StampedActor],
        keeping courier: Any, send: @escaping @MainActor () -> Void
    ) -> Contender {
        Contender(subject: subject, parameter: bursts.actors) { count in
            for actor in actors { actor.tally.expect(bursts.bursts * PacedBursts.size) }
            var waiting: Int64 = 0
            let began = machine_process_nanoseconds()
            var sample = await Sample.acrossThreads {
                waiting = bursts.send(send)
                for actor in actors { await actor.tally.wait() }
            }
            let ran = machine_process_nanoseconds() - began - waiting
            var latencies: [Int64] = []
            for actor in actors { latencies += await actor.take() }
            latencies.sort()
            try Miscount.check(subject, latencies.count, bursts.actors * bursts.bursts * PacedBursts.size)
            // The runner divides the value by `count`, so it is multiplied here.
            sample.value = Double(count)
            switch figure {
            case .processorTime: sample.value *= Double(ran) / Double(bursts.actors * bursts.bursts)
            case .latency: sample.value *= Double(latencies[latencies.count / 2])
            }
            return withExtendedLifetime(courier) { sample }
        }
    }
}
