import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct DurableObserverTests {
    private let recorder = RecordingNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()

    private func open(_ options: OutboxOptions = .quick) async throws -> NotificationOutbox<InMemoryOutboxStore> {
        try await NotificationOutbox(store, of: recorder, options: options, clock: clock)
    }

    private func observe(
        _ outbox: NotificationOutbox<InMemoryOutboxStore>, ordered order: DurableOrder<Placed> = .strict,
        retrying delays: RetryPolicy = .standard
    ) {
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, ordered: order, retrying: delays) {
            me, note in
            try await me.handle(note)
        }
    }

    @Test
    func `a durable observer receives the stored notifications of its type in the order in which they were stored`()
        async throws
    {
        let outbox = try await open()
        observe(outbox)
        for number in 1...1000 {
            try outbox.post(Placed(number: number))
            try outbox.post(Cancelled(number: number))
        }
        await worker.waitForAttempts(1000)
        #expect(await worker.numbers == Array(1...1000))
        await outbox.finish(within: .seconds(10))
    }

    @Test
    func `observers of the center receive a stored notification and its identity`()
        async throws
    {
        let outbox = try await open()
        try outbox.post(Placed(number: 1))
        await outbox.drain(within: .seconds(10))
        #expect(recorder.posted(Placed.self) == [Placed(number: 1)])
        #expect(recorder.posted(StoredNotification<Placed>.self).map(\.notification) == [Placed(number: 1)])
        #expect(recorder.posted(StoredNotification<Placed>.self).map(\.id) == ["memory-1"])
    }

    @Test func `unhandled notifications wait for the next program with an observer of the same name`() async throws {
        let first = try await open()
        observe(first)
        try first.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        await first.finish(within: .seconds(10))
        try store.append([try OutboxPost(Placed(number: 2))])
        let second = try await open()
        observe(second)
        await worker.waitForAttempts(2)
        #expect(await worker.numbers == [1, 2])
        await second.finish(within: .seconds(10))
    }

    @Test func `a failed notification is retried after its delay, and later notifications wait for it`() async throws {
        let outbox = try await open()
        await worker.fail(1, times: 2)
        observe(outbox, retrying: RetryPolicy([.seconds(5), .seconds(60)]))
        try outbox.post(Placed(number: 1))
        try outbox.post(Placed(number: 2))
        // The first delay ends after 5 seconds, and the second after 65 seconds.
        await clock.advance(
            "there are two attempts", by: .seconds(1), { await worker.attempts.count }, until: { $0 >= 2 })
        #expect(await worker.attempts == [1, 1])
        #expect(clock.now.offset >= .seconds(5))
        await clock.advance(
            "there are four attempts", by: .seconds(1), { await worker.attempts.count }, until: { $0 >= 4 })
        #expect(clock.now.offset >= .seconds(65))
        #expect(await worker.numbers == [1, 2])
        #expect(Faults(recorder).kinds == [.observerFailed, .observerFailed])
        await outbox.finish(within: .seconds(10))
    }

    @Test func `if an observer is ordered by key, a failure delays only notifications with that key`() async throws {
        let outbox = try await open()
        await worker.fail(1, times: 1)
        observe(outbox, ordered: .by(\.customer), retrying: RetryPolicy([.seconds(5)]))
        try outbox.post(Placed(number: 1, customer: "a"))
        try outbox.post(Placed(number: 2, customer: "a"))
        try outbox.post(Placed(number: 3, customer: "b"))
        await worker.waitForAttempts(2)
        #expect(await worker.numbers == [3])
        await clock.advance(
            "there are four attempts", by: .seconds(1), { await worker.attempts.count }, until: { $0 >= 4 })
        #expect(await worker.numbers == [3, 1, 2])
        await outbox.finish(within: .seconds(10))
    }

    @Test func `a notification that fails after the last delay becomes a dead letter and can be redriven`() async throws
    {
        let outbox = try await open()
        await worker.fail(1, times: 1)
        observe(outbox, retrying: .none)
        try outbox.post(Placed(number: 1))
        try outbox.post(Placed(number: 2))
        await worker.waitForAttempts(2)
        #expect(await worker.numbers == [2])
        await outbox.drain(within: .seconds(10))
        try await waitForSaving(outbox)
        let buried = try await outbox.deadLetters(for: "worker")
        #expect(buried.map(\.row.position) == [1])
        #expect(buried.map(\.attempts) == [1])
        #expect(Faults(recorder).kinds == [.deadLetter])
        #expect(try await outbox.redrive(for: "worker") == 1)
        await clock.advance(
            "there are three attempts", by: .seconds(1), { await worker.attempts.count }, until: { $0 >= 3 })
        #expect(await worker.numbers == [2, 1])
        await outbox.finish(within: .seconds(10))
        #expect(try await outbox.deadLetters(for: "worker").isEmpty)
    }

    @Test
    func `without retries, unreadable notifications become dead letters and don't delay other notifications`()
        async throws
    {
        let outbox = try await open()
        observe(outbox, retrying: .none)
        try store.append([try OutboxPost(ForeignPlaced(text: "?")), try OutboxPost(LaterPlaced(number: 7))])
        try outbox.post(Placed(number: 2))
        await clock.advance("a call succeeded", by: .milliseconds(20), { await worker.numbers }, until: { !$0.isEmpty })
        #expect(await worker.numbers == [2])
        #expect(Faults(recorder).kinds == [.undecodable, .unknownVersion])
        await outbox.finish(within: .seconds(10))
        #expect(try await outbox.deadLetters(for: "worker").count == 2)
    }

    @Test func `notifications of a type without observers don't delay other notifications`() async throws {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Cancelled(number: 1))
        try outbox.post(Placed(number: 2))
        #expect(await outbox.drain(within: .seconds(10)).isEmpty)
        #expect(await worker.numbers == [2])
        await outbox.finish(within: .seconds(10))
    }

    @Test func `posting a payload over the limit throws, and nothing is stored`() async throws {
        var options = OutboxOptions.quick
        options.maximumBodySize = 30
        let outbox = try await open(options)
        #expect(throws: OutboxError.self) {
            try outbox.post(Placed(number: 1, customer: String(repeating: "x", count: 99)))
        }
        #expect(try await store.last() == 0)
    }

    @Test func `a store that is unavailable for a while is reported once, and nothing is lost`() async throws {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        await outbox.drain(within: .seconds(10))
        store.failure = Refused()
        #expect(throws: Refused.self) { try outbox.post(Placed(number: 2)) }
        await clock.advance(
            "the failure is reported", by: .seconds(1), { Faults(recorder).kinds },
            until: { $0.contains(.storeFailed) })
        for _ in 1...5 { await clock.advanceForSleepers(by: .seconds(1)) }
        store.failure = nil
        try outbox.post(Placed(number: 3))
        await clock.advance(
            "the store works", by: .seconds(1), { Faults(recorder).kinds }, until: { $0.contains(.storeRecovered) })
        await clock.advance("two calls succeed", by: .seconds(1), { await worker.numbers }, until: { $0 == [1, 3] })
        #expect(Faults(recorder).kinds == [.storeFailed, .storeRecovered])
        await outbox.finish(within: .seconds(10))
    }

    @Test func `a durable observer ends when its actor is deallocated, and notifications stay stored`() async throws {
        let outbox = try await open()
        var brief: Worker? = Worker()
        let token = outbox.addObserver(brief!, named: "brief", on: .actor, for: Placed.self) { me, note in
            try await me.handle(note)
        }
        try outbox.post(Placed(number: 1))
        await brief?.waitForAttempts(1)
        await outbox.drain(within: .seconds(10))
        brief = nil
        await eventually("the token is cancelled") { !token.isActive }
        try outbox.post(Placed(number: 2))
        await clock.advance(
            "the observer has ended", by: .seconds(1), { outbox.runningObservers.map(\.name) }, until: \.isEmpty)
        let record = try await outbox.registeredObservers().first { $0.name == "brief" }
        #expect(record?.backlog == 1)
    }

    @Test func `when a center finishes, durable observers end, and unhandled notifications stay stored`() async throws {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        await recorder.finish(within: .seconds(10))
        try outbox.post(Placed(number: 2))
        await clock.advance(
            "the observer has ended", by: .seconds(1), { outbox.runningObservers.map(\.name) }, until: \.isEmpty)
        #expect(await worker.numbers == [1])
        #expect(try await outbox.registeredObservers().map(\.backlog) == [1])
    }

    @Test func `the center lists a durable observer with its backlog, and drain waits for the backlog`() async throws {
        let outbox = try await open()
        await worker.hold()
        observe(outbox)
        for number in 1...10 { try outbox.post(Placed(number: number)) }
        await worker.waitForAttempts(1)
        let listed = try #require(recorder.observations.first { $0.subject.name.hasSuffix("Placed") })
        #expect(listed.queued >= 9)
        #expect("\(listed.place)".contains("DurableObserverTests.swift"))
        async let left = recorder.drain(within: .seconds(60))
        await worker.letGo()
        #expect(await left.isEmpty)
        #expect(await worker.numbers == Array(1...10))
        await outbox.finish(within: .seconds(10))
    }

    @Test func `an outbox that has finished accepts no posts`() async throws {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        #expect(await outbox.finish(within: .seconds(10)).isEmpty)
        #expect(await worker.numbers == [1])
        #expect(throws: OutboxError.self) { try outbox.post(Placed(number: 2)) }
    }

    @Test func `an observer that hangs is reported, and no notification overtakes the one it handles`() async throws {
        let outbox = try await open()
        await worker.hold()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        try outbox.post(Placed(number: 2))
        await worker.waitForAttempts(1)
        await clock.advance(
            "the observer hangs", by: .seconds(30), { Faults(recorder).kinds }, until: { $0.contains(.observerHangs) })
        #expect(await worker.attempts == [1])
        await worker.letGo()
        await worker.waitForAttempts(2)
        #expect(Faults(recorder).kinds == [.observerHangs])
        await outbox.finish(within: .seconds(10))
    }

    @Test func `one of two outboxes runs an observer, and the other takes over when the first finishes`() async throws {
        let first = try await open()
        observe(first)
        try first.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        let second = try await open()
        observe(second)
        await clock.advance(
            "the second outbox waits", { second.runningObservers.first?.state }, until: { $0 == .elsewhere })
        await first.finish(within: .seconds(10))
        try second.post(Placed(number: 2))
        await clock.advance("both notifications are handled", { await worker.numbers }, until: { $0 == [1, 2] })
        await second.finish(within: .seconds(10))
    }

    @Test
    func `handled rows are pruned, and unhandled rows are kept unless their observer is abandoned`()
        async throws
    {
        let outbox = try await open()
        observe(outbox)
        for number in 1...10 { try outbox.post(Placed(number: number)) }
        await worker.waitForAttempts(10)
        await outbox.finish(within: .seconds(10))
        try store.append([try OutboxPost(Placed(number: 11))])
        #expect(try await store.prune(storedBefore: .max, abandonedBefore: 0, limit: 100).removed == 10)
        #expect(try await store.prune(storedBefore: .max, abandonedBefore: 0, limit: 100).removed == 0)
        let (removed, abandoned) = try await store.prune(storedBefore: .max, abandonedBefore: .max, limit: 100)
        #expect(removed == 1 && abandoned == ["worker"])
        #expect(try await outbox.registeredObservers().first?.isAbandoned == true)
    }

    private func waitForSaving(_ outbox: NotificationOutbox<InMemoryOutboxStore>) async throws {
        try await clock.advance(
            "the progress is saved", by: .milliseconds(50),
            { try await outbox.registeredObservers().first?.backlog }, until: { $0 == 0 })
    }
}

extension OutboxPost {
    init<N: RemoteNotification>(_ notification: N) throws { try self.init(notification, limit: .max) }
}
