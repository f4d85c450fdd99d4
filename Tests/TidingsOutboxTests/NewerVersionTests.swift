import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

/// A newer version of ``Placed``, in a program that reads both versions.
struct NewerPlaced: RemoteNotification {
    static let wireName = "test.placed"
    static let wireVersion = 2
    static let readableVersions = 1...2
    let number: Int
    var customer = "a"
}

@Suite(.timeLimit(.minutes(2))) struct NewerVersionTests {
    private let recorder = RecordingNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()

    private func open() async throws -> NotificationOutbox<InMemoryOutboxStore> {
        try await NotificationOutbox(store, of: recorder, options: .quick, clock: clock)
    }

    private func observe(_ outbox: NotificationOutbox<InMemoryOutboxStore>, retrying delays: RetryPolicy = .standard) {
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored, retrying: delays) {
            me, note in try await me.handle(note)
        }
    }

    @Test
    func `a notification of a newer version is retried after the delays and then becomes a dead letter`()
        async throws
    {
        let outbox = try await open()
        observe(outbox, retrying: RetryPolicy([.seconds(1), .seconds(5)]))
        try store.append([try OutboxPost(LaterPlaced(number: 1))])
        try outbox.post(Placed(number: 2))
        await clock.advance("a call succeeded", by: .milliseconds(20), { await worker.numbers }, until: { !$0.isEmpty })
        #expect(Faults(recorder).kinds == [.unknownVersion, .unknownVersion, .unknownVersion])
        #expect(try await outbox.deadLetters(for: "worker").map(\.attempts) == [3])
        await outbox.finish(within: .seconds(10))
    }

    @Test func `a newer program takes over before the first notification of its version, and the order is kept`()
        async throws
    {
        let (old, newer) = (try await open(), try await open())
        observe(old)
        await eventually("the old program runs", { old.runningObservers.first?.state }, until: { $0 == .running })
        let received = Lock<[Int]>([])
        let token = newer.addObserver(named: "worker", on: .task, for: NewerPlaced.self, from: .stored) { note in
            received.withLock { $0.append(note.number) }
        }
        await eventually(
            "the newer program waits", { newer.runningObservers.first?.state }, until: { $0 == .elsewhere })
        try old.post(Placed(number: 1))
        try newer.post(NewerPlaced(number: 2))
        try old.post(Placed(number: 3))
        await clock.advance(
            "two posts are received", by: .milliseconds(20), { received.withLock { $0 } }, until: { $0.count >= 2 })
        #expect(await worker.numbers == [1])
        #expect(received.withLock { $0 } == [2, 3])
        #expect(Faults(recorder).kinds.isEmpty)
        withExtendedLifetime(token) {}
        await old.finish(within: .seconds(10))
        await newer.finish(within: .seconds(10))
    }

    @Test func `a newer program takes over the partitions with notifications of its version, so the order is kept`()
        async throws
    {
        let (old, newer) = (try await open(), try await open())
        old.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer, partitions: 4),
            from: .stored
        ) { me, note in try await me.handle(note) }
        await eventually("the old program runs", { old.runningObservers.first?.partitions }, until: { $0 == 4 })
        let received = Lock<[Int]>([])
        let token = newer.addObserver(
            named: "worker", on: .task, for: NewerPlaced.self, ordered: .by(\.customer, partitions: 4), from: .stored
        ) { note in
            received.withLock { $0.append(note.number) }
        }
        await eventually(
            "the newer program waits", { newer.runningObservers.first?.state }, until: { $0 == .elsewhere })
        try old.post(Placed(number: 1))
        try newer.post(NewerPlaced(number: 2))
        try old.post(Placed(number: 3))
        await clock.advance(
            "two posts are received", by: .milliseconds(20), { received.withLock { $0 } }, until: { $0.count >= 2 })
        #expect(await worker.numbers == [1])
        #expect(received.withLock { $0 } == [2, 3])
        #expect(Faults(recorder).kinds.isEmpty)
        withExtendedLifetime(token) {}
        await old.finish(within: .seconds(10))
        await newer.finish(within: .seconds(10))
    }

    @Test func `without a newer program, rows behind a row of a newer version are handled if the order permits`()
        async throws
    {
        let outbox = try await open()
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer), from: .stored
        ) { me, note in try await me.handle(note) }
        try store.append([try OutboxPost(LaterPlaced(number: 1)), try OutboxPost(LaterPlaced(number: 2))])
        try outbox.post(Placed(number: 3))
        await clock.advance("a call succeeded", by: .milliseconds(20), { await worker.numbers }, until: { !$0.isEmpty })
        #expect(try await outbox.deadLetters(for: "worker").isEmpty)
        #expect(outbox.runningObservers.first?.deadLetters == 0)
        await outbox.finish(within: .zero)
    }
}
