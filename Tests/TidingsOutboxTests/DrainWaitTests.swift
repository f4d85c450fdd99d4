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
}
