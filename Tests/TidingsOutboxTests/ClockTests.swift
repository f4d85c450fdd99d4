import Foundation
import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct ClockTests {
    /// A wall clock that the test can set. It starts at the real time, which the in-memory store uses.
    private final class Wall: Sendable {
        private let time = Lock(Int64(Date().timeIntervalSince1970 * 1000))
        var now: Int64 { time.withLock { $0 } }
        func jump(byDays days: Int64) { time.withLock { $0 += days * 86_400_000 } }
    }

    private let recorder = RecordingNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()
    private let wall = Wall()

    private func open() async throws -> NotificationOutbox<InMemoryOutboxStore> {
        try await NotificationOutbox(store, of: recorder, options: .quick, clock: clock, wall: { [wall] in wall.now })
    }

    private func observe(_ outbox: NotificationOutbox<InMemoryOutboxStore>, retrying delays: RetryPolicy = .standard) {
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored, retrying: delays) {
            me, note in try await me.handle(note)
        }
    }

    private func runOnce() async throws {
        let outbox = try await open()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        await outbox.finish(within: .seconds(60))
        try store.append([try OutboxPost(Placed(number: 2))], at: wall.now)
    }

    @Test func `a program that was not started for a month receives the waiting notifications`() async throws {
        try await runOnce()
        wall.jump(byDays: 30)
        let outbox = try await open()
        // The outbox maintains the store several times before the program registers its observer.
        for _ in 0..<20 { await clock.advanceForSleepers() }
        observe(outbox)
        await outbox.drain(within: .seconds(60))
        #expect(await worker.numbers == [1, 2])
        #expect(Faults(recorder).kinds == [])
        await outbox.finish(within: .zero)
    }

    @Test func `an observer is reported as abandoned after a month without running, and later as returned`()
        async throws
    {
        try await runOnce()
        wall.jump(byDays: 30)
        let outbox = try await open()
        await clock.advance(
            "the observer is abandoned", by: .seconds(60), { Faults(recorder).kinds },
            until: { $0.contains(.abandoned) })
        #expect(clock.now.offset >= .seconds(600))
        #expect(try await outbox.registeredObservers().map(\.isAbandoned) == [true])
        #expect(try await store.page(after: 0, limit: 9, named: [Placed.wireName]).rows.isEmpty)
        observe(outbox)
        await clock.advance("the observer has returned", { Faults(recorder).kinds }, until: { $0.contains(.returned) })
        #expect(Faults(recorder).kinds == [.abandoned, .returned])
        try outbox.post(Placed(number: 3))
        await outbox.drain(within: .seconds(60))
        #expect(await worker.numbers == [1, 3])
        await outbox.finish(within: .zero)
    }

    @Test func `the old name of a renamed observer is listed with its backlog until the name is removed`()
        async throws
    {
        try await runOnce()
        let outbox = try await open()
        outbox.addObserver(worker, named: "renamed", on: .actor, for: Placed.self, from: .stored) { me, note in
            try await me.handle(note)
        }
        await outbox.drain(within: .seconds(60))
        // The renamed observer starts with the oldest row.
        #expect(await worker.numbers == [1, 1, 2])
        try await clock.advance(
            "only the old name has a backlog", { try await outbox.registeredObservers().map(\.backlog) },
            until: { $0 == [0, 1] })
        #expect(try await outbox.registeredObservers().map(\.name) == ["renamed", "worker"])
        #expect(try await store.prune(storedBefore: .max, abandonedBefore: 0, limit: 10).removed == 1)
        try await outbox.removeObserver(named: "worker")
        #expect(try await outbox.registeredObservers().map(\.name) == ["renamed"])
        #expect(try await store.prune(storedBefore: .max, abandonedBefore: 0, limit: 10).removed == 1)
        await outbox.finish(within: .zero)
    }

    @Test(arguments: [-1000, -1, 1, 20_000] as [Int64])
    func `a jump of the wall clock neither loses nor delays stored notifications`(days: Int64) async throws {
        let first = try await open()
        await worker.fail(1, times: 1)
        observe(first, retrying: RetryPolicy([.seconds(5)]))
        try first.post(Placed(number: 1))
        try first.post(Placed(number: 2))
        await worker.waitForAttempts(1)
        wall.jump(byDays: days)
        for _ in 0..<3 { await clock.advanceForSleepers(by: .seconds(1)) }
        await first.finish(within: .zero)
        wall.jump(byDays: days)
        let began = clock.now
        let second = try await open()
        observe(second, retrying: RetryPolicy([.seconds(5)]))
        await clock.advance("both notifications are handled", { await worker.numbers }, until: { $0 == [1, 2] })
        // On a slow machine, the clock may have advanced further, but by less than half a day.
        #expect(began.duration(to: clock.now) < .seconds(43_200))
        #expect(Faults(recorder).kinds == [.observerFailed])
        await second.finish(within: .zero)
    }

    @Test func `an observer that hangs while the clock jumps by years isn't considered abandoned`()
        async throws
    {
        let outbox = try await open()
        await worker.hold()
        observe(outbox)
        for number in 1...3 { try outbox.post(Placed(number: number)) }
        await worker.waitForAttempts(1)
        for _ in 0..<30 { await clock.advanceForSleepers(by: .seconds(30)) }
        wall.jump(byDays: 9_000)
        for _ in 0..<5 { await clock.advanceForSleepers(by: .seconds(30)) }
        await worker.letGo()
        await outbox.drain(within: .seconds(600))
        #expect(await worker.numbers == [1, 2, 3])
        #expect(Faults(recorder).kinds == [.observerHangs])
        await outbox.finish(within: .zero)
    }

    @Test func `a cancelled drain returns the observers that are behind, even if the outbox's clock stands still`()
        async throws
    {
        let outbox = try await open()
        await worker.hold()
        observe(outbox)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        let drain = Task { await outbox.drain(within: .seconds(1)) }
        drain.cancel()
        #expect(await drain.value.map(\.name) == ["worker"])
        await worker.letGo()
        #expect(await outbox.drain(within: .seconds(1)).isEmpty)
        await outbox.finish(within: .zero)
    }
}
