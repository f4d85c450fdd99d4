import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct InterruptionTests {
    private let recorder = RecordingNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()

    /// Opens an outbox whose observers save their progress only when a test advances the clock.
    private func open() async throws -> NotificationOutbox<InMemoryOutboxStore> {
        var options = OutboxOptions.quick
        options.saveInterval = .seconds(1)
        return try await NotificationOutbox(store, of: recorder, options: options, clock: clock)
    }

    @discardableResult
    private func observe(
        _ outbox: NotificationOutbox<InMemoryOutboxStore>, retrying delays: RetryPolicy = .standard
    ) -> NotificationToken {
        outbox.addObserver(
            worker, named: "worker", on: .actor, forStored: Placed.self, from: .stored, retrying: delays
        ) { me, stored in
            try await me.handle(stored)
        }
    }

    @Test func `after a kill, redelivered notifications are marked as repeated, and new ones aren't`() async throws {
        let first = try await open()
        observe(first)
        for number in 1...3 { try first.post(Placed(number: number)) }
        await worker.waitForAttempts(3)
        store.interrupt()
        await first.finish(within: .zero)
        let second = try await open()
        observe(second)
        await worker.waitForAttempts(6)
        try second.post(Placed(number: 4))
        await worker.waitForAttempts(7)
        #expect(await worker.numbers == [1, 2, 3, 1, 2, 3, 4])
        #expect(await worker.repeated == [1, 2, 3])
        await second.finish(within: .seconds(10))
    }

    @Test func `a program that has lost its lease without noticing handles no new notifications`() async throws {
        let first = try await open()
        observe(first)
        try first.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        store.interrupt()
        let (second, other) = (try await open(), Worker())
        second.addObserver(other, named: "worker", on: .actor, forStored: Placed.self, from: .stored) { me, stored in
            try await me.handle(stored)
        }
        await other.waitForAttempts(1)
        try second.post(Placed(number: 2))
        await other.waitForAttempts(2)
        await clock.advance(
            "the lost lease is reported", { Faults(recorder).kinds }, until: { $0.contains(.leaseLost) })
        #expect(await worker.numbers == [1])
        #expect(await other.repeated == [1])
        await first.finish(within: .zero)
        await second.finish(within: .seconds(10))
    }

    @Test func `a lease for a removed observer stays lost when another program claims the observer`() async throws {
        let session = try #require(try await store.claim("worker", beginningAt: 0))
        try await store.remove("worker")
        let theirs = try #require(try await store.claim("worker", beginningAt: 0))
        await #expect { try await session.confirm() } throws: { ($0 as? OutboxError)?.code == .leaseLost }
        await #expect { try await session.save(OutboxProgressChange(cursor: 5)) } throws: {
            ($0 as? OutboxError)?.code == .leaseLost
        }
        await session.end(isClean: true)
        let isFree = try await store.claim("worker", beginningAt: 0) != nil
        #expect(!isFree)
        try await theirs.save(OutboxProgressChange(cursor: 9))
        #expect(try await store.observers().map(\.cursor) == [9])
    }

    @Test
    func `after a kill, repeated notifications are marked even if another program has since ended cleanly`()
        async throws
    {
        let first = try await open()
        observe(first)
        for number in 1...3 { try first.post(Placed(number: number)) }
        await worker.waitForAttempts(3)
        store.interrupt()
        await first.finish(within: .zero)

        // The observation ends during the second program's first call, and that call completes.
        await worker.hold()
        let second = try await open()
        let token = observe(second)
        await worker.waitForAttempts(4)
        token.cancel()
        await worker.letGo()
        await clock.advance("the observer has ended", { second.runningObservers.map(\.name) }, until: \.isEmpty)
        await second.finish(within: .zero)

        let third = try await open()
        observe(third)
        await third.drain(within: .seconds(60))
        let marked = await worker.repeated
        #expect(marked.suffix(2) == [2, 3])
        await third.finish(within: .seconds(10))
    }

    @Test func `a notification is marked as repeated if its observer was cancelled during a call`() async throws {
        let outbox = try await open()
        await worker.hold()
        let token = observe(outbox)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        token.cancel()
        await worker.letGo()
        await clock.advance("the observer has ended", { outbox.runningObservers.map(\.name) }, until: \.isEmpty)
        observe(outbox)
        await outbox.drain(within: .seconds(60))
        let (attempts, repeated) = (await worker.attempts, await worker.repeated)
        #expect(attempts.count - 1 == repeated.count)
        await outbox.finish(within: .seconds(10))
    }

    @Test func `a row that is saved for a retry, and that the cursor hasn't passed, is delivered once`() async throws {
        try store.append([1, 2, 3].map { try OutboxPost(Placed(number: $0)) })
        let session = try #require(try await store.claim("worker", beginningAt: 0))
        // Simulates a program that was killed after it had saved the rows to retry, but before it saved its cursor. The
        // cursor is the position of the last row that the program has read.
        try await session.save(
            OutboxProgressChange(
                cursor: 0, held: [1, 2].map { OutboxHeldRow(key: "a", position: $0, attempts: $0 == 1 ? 1 : 0) }))
        await session.end(isClean: false)
        let outbox = try await open()
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer)) {
            me, note in try await me.handle(note)
        }
        await clock.advance("three notifications are handled", { await worker.numbers }, until: { $0.count >= 3 })
        await outbox.drain(within: .seconds(60))
        #expect(await worker.numbers == [1, 2, 3])
        #expect(outbox.runningObservers.map(\.held) == [0])
        await outbox.finish(within: .zero)
    }

    @Test func `while the store is unavailable, drain returns the observers with unhandled notifications`() async throws
    {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        store.failure = Refused()
        async let left = outbox.drain(within: .seconds(5))
        let isOver = Lock(false)
        async let moving: Void = {
            await clock.advance("the drain has returned", { isOver.withLock { $0 } }, until: { $0 })
        }()
        #expect(await left.map(\.name) == ["worker"])
        isOver.withLock { $0 = true }
        await moving
        store.failure = nil
        await outbox.finish(within: .zero)
        for _ in 0..<1000 where clock.sleepers > 0 {
            clock.advance(by: .seconds(60))
            await Task.yield()
        }
    }

    @Test func `a notification is retried even if its last attempt failed while the store was unavailable`()
        async throws
    {
        let outbox = try await open()
        let attempts = Attempts()
        let token = outbox.addObserver(
            named: "worker", on: .task, for: Placed.self, from: .stored, retrying: RetryPolicy([.seconds(1)])
        ) { [store] _ in
            let number = attempts.next()
            // The observer uses the same database, which becomes unavailable during the observer's second call.
            if number == 2 { store.failure = Refused() }
            if number <= 2 { throw Refused() }
        }
        try outbox.post(Placed(number: 1))
        await clock.advance("there are two attempts", { attempts.count }, until: { $0 >= 2 })
        await clock.advance("the failure is reported", { Faults(recorder).kinds }, until: { $0.contains(.storeFailed) })
        store.failure = nil
        await clock.advance("the store works", { Faults(recorder).kinds }, until: { $0.contains(.storeRecovered) })
        await outbox.drain(within: .seconds(60))
        #expect(attempts.count == 3)
        #expect(try await outbox.deadLetters(for: "worker").isEmpty)
        token.cancel()
        await outbox.finish(within: .zero)
    }

    @Test(arguments: [false, true])
    func `a repeated notification is marked even if its failure couldn't be stored`(byNextObserver: Bool) async throws {
        let outbox = try await open()
        await worker.fail(1, times: 1)
        await worker.hold()
        let token = observe(outbox, retrying: RetryPolicy([]))
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        store.failure = Refused()
        await worker.letGo()
        await eventually(
            "the dead letter couldn't be stored", { outbox.runningObservers.map(\.state) },
            until: { $0 == [.storeFails("Refused()")] })
        if byNextObserver {
            token.cancel()
            await clock.advance("the observer has ended", { outbox.runningObservers.map(\.name) }, until: \.isEmpty)
        }
        store.failure = nil
        if byNextObserver { observe(outbox, retrying: RetryPolicy([])) }
        await clock.advance("the post is handled", { await worker.numbers }, until: { $0 == [1] })
        #expect(await worker.repeated == [1])
        await outbox.finish(within: .zero)
    }

    @Test func `drain returns when an unavailable store is back and everything is handled`() async throws {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        store.failure = Refused()
        async let left = outbox.drain(within: .seconds(86_400))
        await clock.advance("the failure is reported", { Faults(recorder).kinds }, until: { $0.contains(.storeFailed) })
        store.failure = nil
        let isOver = Lock(false)
        async let moving: Void = {
            await clock.advance("the drain has returned", { isOver.withLock { $0 } }, until: { $0 })
        }()
        #expect(await left.isEmpty)
        isOver.withLock { $0 = true }
        await moving
        await outbox.finish(within: .zero)
    }
}

private final class Attempts: Sendable {
    private let number = Lock(0)
    var count: Int { number.withLock { $0 } }
    func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
