import TestSupport
import Testing
import Tidings
import TidingsInspector
import TidingsOutbox
import TidingsTesting
import TidingsWire

@Suite(.timeLimit(.minutes(2))) struct SenderMonitoringTests {
    /// Sends rows in place of a relay.
    private actor Sender {
        private(set) var sent = 0
        private var isHeld = true
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var outcome: TableRow.Outcome

        init(_ outcome: TableRow.Outcome) { self.outcome = outcome }

        func send(_ rows: [TableRow]) async -> [TableRow.Outcome] {
            if isHeld { await withCheckedContinuation { waiting.append($0) } }
            sent += rows.count
            return rows.map { _ in outcome }
        }

        var isCalled: Bool { !waiting.isEmpty }

        func goOn(_ next: TableRow.Outcome? = nil) {
            isHeld = false
            for call in waiting { call.resume() }
            waiting = []
            outcome = next ?? outcome
        }
    }

    private let center = NativeNotificationCenter()

    private func row(_ inspector: Inspector) -> InspectorSnapshot.Observer? {
        inspector.snapshot().observers.first { $0.type.contains("RelayedRows") }
    }

    @Test func `a relay that sends rows is listed by name until it ends, with the size and age of its backlog`()
        async throws
    {
        let inspector = Inspector(of: center)
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let sender = Sender(.sent)
        let running = outbox.relaySource.access.run("relay.shop.S", [Placed.wireName], while: { true }) { rows in
            await sender.send(rows)
        }
        await eventually("the sender runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
        for number in 1...5 { try outbox.post(Placed(number: number)) }
        await eventually("the sender is called") { await sender.isCalled }
        await eventually("five notifications wait", { row(inspector)?.waiting }, until: { $0 == 5 })
        let entry = try #require(center.observations.first { $0.observer.label == "relay.shop.S" })
        #expect(entry.queued == 5 && "\(entry.observer)".contains(#"named "relay.shop.S""#))
        await eventually("the oldest notification has waited", { row(inspector)?.oldestWait ?? 0 }, until: { $0 > 0 })
        await sender.goOn()
        await eventually("five notifications are sent, and none waits") {
            row(inspector)?.waiting == 0 && row(inspector)?.calls == 5
        }
        running.stop()
        await running.waitForEnd()
        await eventually("the sender is no longer listed") { row(inspector) == nil }
        #expect(!center.observations.contains { $0.observer.label == "relay.shop.S" })
        await outbox.finish(within: .seconds(600))
    }

    @Test func `a row that can't be sent counts as failed, and the health problem of a long backlog names the relay`()
        async throws
    {
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let sender = Sender(.refused("too large"))
        let running = outbox.relaySource.access.run("relay.shop.S", [Placed.wireName], while: { true }) { rows in
            await sender.send(rows)
        }
        await eventually("the sender runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
        for number in 1...30 { try outbox.post(Placed(number: number)) }
        await eventually("the sender is called") { await sender.isCalled }
        let health = center.health(WarningThresholds(waiting: 10))
        #expect(!health.isWell && health.isAlive && health.description.contains(#"named "relay.shop.S""#), "\(health)")
        await sender.goOn()
        func entry() -> ObservationStatus? {
            center.observations.first { $0.observer.label == "relay.shop.S" }
        }
        await eventually("thirty failures are counted", { entry()?.failed }, until: { $0 == 30 })
        // The dead letters are counted before the rows leave the backlog.
        await eventually(
            "the backlog is handled", { center.health(WarningThresholds(waiting: 10)) }, until: { $0.isWell })
        running.stop()
        await running.waitForEnd()
        await outbox.finish(within: .seconds(600))
    }
}
