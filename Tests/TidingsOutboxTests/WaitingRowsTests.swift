import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct WaitingRowsTests {
    @Test func `a handled notification isn't listed as waiting, even if another partition is behind`() async throws {
        let outbox = try await NotificationOutbox(
            InMemoryOutboxStore(), of: NativeNotificationCenter(), options: .quick)
        let (gate, handled) = (Gate(), ReceivedValues<Int>())
        // The keys "a" and "b" belong to different partitions.
        let token = outbox.addObserver(
            named: "worker", on: .task, for: Placed.self, ordered: .by(\.customer, partitions: 2)
        ) { note in
            if note.customer == "a" { await gate.wait() }
            handled.append(note.number)
        }
        try outbox.post(Placed(number: 1, customer: "a"))
        try outbox.post(Placed(number: 2, customer: "b"))
        await handled.wait(for: 1)
        try await eventually(
            "only the first row waits", { try await outbox.waitingNotifications(for: "worker").map(\.row.position) },
            until: { $0 == [1] })
        gate.open()
        #expect(await outbox.drain(within: .seconds(600)) == [])
        #expect(handled.values == [2, 1])
        token.cancel()
        await outbox.finish(within: .seconds(600))
    }
}
