import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsOutbox

@Suite(.timeLimit(.minutes(2))) struct DrainWaitTests {
    private final class Wait: Sendable {}

    @Test func `a drain that ends at its limit or is cancelled removes its wait from a busy durable observer`()
        async throws
    {
        let (center, worker) = (NativeNotificationCenter(), Worker())
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        await worker.hold()
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
            try await me.handle(note)
        }
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        let runner = try #require(outbox.core.runners.first)
        weak var kept: Wait?
        do {
            let wait = Wait()
            kept = wait
            outbox.core.whenHandled(by: runner, for: ObjectIdentifier(wait)) { withExtendedLifetime(wait) {} }
            runner.status.giveUp(ObjectIdentifier(wait))
        }
        #expect(kept == nil)

        let (clock, unfinished) = (ManualClock(), ReceivedValues<Int>())
        let drain = Task { unfinished.append(await center.drain(within: .seconds(5), clock: clock).count) }
        await eventually("the drain of the center waits") { runner.status.isPending(wait: 2) }
        await clock.advance("the drain returns", { unfinished.values }, until: { !$0.isEmpty })
        await drain.value
        #expect(unfinished.values == [1] && !runner.status.isPending(wait: 2))

        let other = Task { await outbox.drain(within: .seconds(600)) }
        await eventually("the drain of the outbox waits") { runner.status.isPending(wait: 3) }
        other.cancel()
        #expect(await other.value.map(\.name) == ["worker"])
        #expect(!runner.status.isPending(wait: 3))

        await worker.letGo()
        #expect(await outbox.drain(within: .seconds(600)) == [])
        await outbox.finish(within: .seconds(600))
    }

    @Test func `a drain of the center waits for all partitions in the table, even if the program requested fewer`()
        async throws
    {
        let (store, center, worker) = (InMemoryOutboxStore(), NativeNotificationCenter(), Worker())
        func observe(_ partitions: Int) async throws -> NotificationOutbox<InMemoryOutboxStore> {
            let outbox = try await NotificationOutbox(store, of: center, options: .quick)
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer, partitions: partitions)
            ) { me, note in try await me.handle(note) }
            await eventually(
                "four partitions run", { outbox.runningObservers.first?.partitions }, until: { $0 == 4 })
            return outbox
        }
        let first = try await observe(4)
        await first.finish(within: .seconds(600))
        let outbox = try await observe(2)
        let customer = "g"
        #expect(Partitions.index(of: customer, among: 4) == 2)
        await worker.hold()
        try outbox.post(Placed(number: 1, customer: customer))
        await worker.waitForAttempts(1)
        await eventually("the other partitions have passed the row") {
            outbox.core.runners.filter { $0.status.cursor >= 1 }.count == 3
        }
        let clock = ManualClock()
        let unfinished = ReceivedValues<Int>()
        let drain = Task {
            unfinished.append(await center.drain(within: .seconds(5), clock: clock).count)
        }
        await clock.advance("the drain returns", { unfinished.values }, until: { !$0.isEmpty })
        await drain.value
        #expect(unfinished.values != [0])
        await worker.letGo()
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        await outbox.finish(within: .seconds(600))
    }

    @Test func `a drain of the outbox waits for the call of a partition even if the first partition has ended`()
        async throws
    {
        let (store, center, worker) = (InMemoryOutboxStore(), NativeNotificationCenter(), Worker())
        let outbox = try await NotificationOutbox(store, of: center, options: .quick)
        let token = outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer, partitions: 4)
        ) { me, note in try await me.handle(note) }
        await eventually("four partitions run", { outbox.runningObservers.first?.partitions }, until: { $0 == 4 })
        await worker.hold()
        try outbox.post(Placed(number: 1, customer: "g"))
        await worker.waitForAttempts(1)
        token.cancel()
        try outbox.post(Placed(number: 2, customer: "g"))
        await eventually("the other partitions have ended") { outbox.core.runners.map(\.partition) == [2] }
        let drain = Task { await outbox.drain(within: .seconds(600)) }
        await eventually("the drain waits for the partition") {
            outbox.core.runners.first?.status.isPending(wait: 1) == true
        }
        await worker.letGo()
        await returns("the drain") { _ = await drain.value }
        await outbox.finish(within: .seconds(600))
    }

    @Test func `an observer can drain the center while a durable notification waits for that observer`() async throws {
        let (center, drained) = (NativeNotificationCenter(), ReceivedValues<Int>())
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let tokens = [
            outbox.addObserver(named: "poster", on: .task, for: Placed.self) { note in
                center.post(Cancelled(number: note.number))
            },
            center.addObserver(on: .task, for: Cancelled.self) { note in
                await center.drain()
                drained.append(note.number)
            },
        ]
        try outbox.post(Placed(number: 1))
        if await returns("the drain", { await drained.wait(for: 1) }) {
            await eventually("the post is handled", { outbox.runningObservers.map(\.handled) }, until: { $0 == [1] })
        }
        for token in tokens { token.cancel() }
        await outbox.finish(within: .zero)
    }

    @Test(arguments: [false, true])
    func `a drain by an observer ends even if a durable observer posts to the draining observer`(delivers: Bool)
        async throws
    {
        let (center, clock) = (NativeNotificationCenter(), ManualClock())
        let (begun, released, drained) = (ReceivedValues<Int>(), ReceivedValues<Int>(), ReceivedValues<Int>())
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let tokens = [
            outbox.addObserver(named: "poster", on: .task, for: Placed.self) { note in
                begun.append(note.number)
                await released.wait(for: 1)
                if delivers {
                    await center.deliver(Cancelled(number: 2))
                } else {
                    center.post(Cancelled(number: 2))
                }
            },
            center.addObserver(on: .task, for: Cancelled.self) { note in
                // The clock isn't advanced, so the drain doesn't end at its limit.
                if note.number == 1 { await center.drain(within: .seconds(600), clock: clock) }
                drained.append(note.number)
            },
        ]
        try outbox.post(Placed(number: 1))
        await begun.wait(for: 1)
        center.post(Cancelled(number: 1))
        await clock.waitForSleepers()
        #expect(drained.values == [])
        released.append(1)
        if await returns("the drain", { await drained.wait(for: 2) }) {
            #expect(drained.values == [1, 2])
            await eventually("the post is handled", { outbox.runningObservers.map(\.handled) }, until: { $0 == [1] })
        }
        for token in tokens { token.cancel() }
        await outbox.finish(within: .zero)
    }

    @Test(arguments: [false, true])
    func `a drain that begins before the first claim waits for partitions that exist only in the table`(
        drainsCenter: Bool
    ) async throws {
        let (store, center, worker) = (InMemoryOutboxStore(), NativeNotificationCenter(), Worker())
        func observe(_ outbox: NotificationOutbox<InMemoryOutboxStore>, _ partitions: Int) {
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer, partitions: partitions)
            ) { me, note in try await me.handle(note) }
        }
        let first = try await NotificationOutbox(store, of: center, options: .quick)
        observe(first, 4)
        await eventually("four partitions run", { first.runningObservers.first?.partitions }, until: { $0 == 4 })
        await first.finish(within: .seconds(600))
        let outbox = try await NotificationOutbox(store, of: center, options: .quick)
        await worker.hold()
        let customer = "g"
        #expect(Partitions.index(of: customer, among: 4) == 2)
        try outbox.post(Placed(number: 1, customer: customer))
        store.failure = Refused()
        observe(outbox, 2)
        let drained = Gate()
        let drain = Task {
            if drainsCenter { await center.drain() } else { await outbox.drain(within: .seconds(600)) }
            drained.open()
        }
        await eventually("the drain waits for the requested partitions") {
            let runners = outbox.core.runners
            return runners.count == 2 && runners.allSatisfy { $0.status.isPending(wait: 1) }
        }
        store.failure = nil
        await worker.waitForAttempts(1)
        await eventually("the drain waits for the partition with the row, or has returned") {
            drained.isOpen || outbox.core.runners.contains { $0.partition == 2 && $0.status.isPending(wait: 1) }
        }
        #expect(!drained.isOpen)
        await worker.letGo()
        await returns("the drain") { await drain.value }
        await outbox.finish(within: .seconds(600))
    }

    @Test func `a drain doesn't wait for an observer that is registered under the same name later`() async throws {
        let (store, worker, successor) = (InMemoryOutboxStore(), Worker(), Worker())
        let outbox = try await NotificationOutbox(store, of: NativeNotificationCenter(), options: .quick)
        func observe(_ worker: Worker) -> NotificationToken {
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
        }
        await worker.hold()
        let token = observe(worker)
        try outbox.post(Placed(number: 1))
        await worker.waitForAttempts(1)
        let runner = try #require(outbox.core.runners.first)
        let drained = Gate()
        let drain = Task {
            await outbox.drain(within: .seconds(600))
            drained.open()
        }
        await eventually("the drain waits for the observer") { runner.status.isPending(wait: 1) }
        token.cancel()
        // The later observer can't start while the store fails.
        store.failure = Refused()
        _ = observe(successor)
        let next = try #require(outbox.core.runners.first)
        await worker.letGo()
        await eventually("the drain has returned, or waits for the later observer") {
            drained.isOpen || next.status.isPending(wait: 1)
        }
        #expect(next !== runner && drained.isOpen)
        store.failure = nil
        await returns("the drain") { await drain.value }
        await outbox.finish(within: .seconds(600))
        withExtendedLifetime(successor) {}
    }
}
