import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsOutbox

@Suite(.timeLimit(.minutes(2))) struct DrainWaitTests {
    private final class Wait: Sendable {}

    @Test func `a drain that ends at its limit leaves nothing behind in a durable observer that is still busy`()
        async throws
    {
        let worker = Worker()
        let outbox = try await NotificationOutbox(
            InMemoryOutboxStore(), of: NativeNotificationCenter(), options: .quick)
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
        await worker.letGo()
        #expect(await outbox.drain(within: .seconds(600)) == [])
        await outbox.finish(within: .seconds(600))
    }

    @Test func `a drain of the center waits for partitions that the table has beyond the requested number`()
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
}
