import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsOutbox

@Suite(.timeLimit(.minutes(2))) struct HousekeepingTests {
    @Test func `when a program on standby prunes, it removes all rows that no observer needs`() async throws {
        let (store, worker) = (InMemoryOutboxStore(), Worker())
        try store.append(Array(repeating: try OutboxPost(Placed(number: 1)), count: 10_001))
        // This session stands for another program, which runs the observer and has handled all rows.
        let session = try #require(try await store.claim("worker", beginningAt: 0))
        try await session.save(OutboxProgressChange(cursor: try await store.last()))
        let outbox = try await NotificationOutbox(
            store, of: NativeNotificationCenter(), options: .quick, clock: ManualClock())
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
            try await me.handle(note)
        }
        await eventually(
            "another program runs the observer", { outbox.runningObservers.first?.state }, until: { $0 == .elsewhere })
        // A program on standby prunes in each sixtieth pass.
        for _ in 1...60 { await outbox.core.keepHouse() }
        #expect(outbox.removals.notifications == 10_001)
        await session.end(isClean: true)
        await outbox.finish(within: .zero)
        withExtendedLifetime(worker) {}
    }
}
