import TestSupport
import Testing
import Tidings
import TidingsInspector
import TidingsOutbox
import TidingsTesting
import TidingsWire

/// How what a relay sends from the table is seen by those who look at the center.
@Suite(.timeLimit(.minutes(20))) struct SenderMonitoringTests {
    /// A relay, as the outbox knows it.
    private actor Sender {
        private(set) var sent = 0
        private var isHeld = true
        private var waiting: CheckedContinuation<Void, Never>?
        private var outcome: TableRow.Outcome

        init(_ outcome: TableRow.Outcome) { self.outcome = outcome }

        func send(_ rows: [TableRow]) async -> [TableRow.Outcome] {
            if isHeld { await withCheckedContinuation { waiting = $0 } }
            sent += rows.count
            return rows.map { _ in outcome }
        }

        var isCalled: Bool { waiting != nil }

        func goOn(_ next: TableRow.Outcome? = nil) {
            isHeld = false
            waiting?.resume()
            waiting = nil
            outcome = next ?? outcome
        }
    }

    private let center = NativeNotificationCenter()

    private func row(_ inspector: Inspector) -> InspectorSnapshot.Observer? {
        inspector.snapshot().observers.first { $0.type.contains("RelayedRows") }
    }

    @Test func `a sender is listed by its name, with its backlog and for how long that has waited, until it ends`()
        async throws
    {
        let inspector = Inspector(of: center)
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let sender = Sender(.sent)
        let running = outbox.relaySource.access.run("relay.shop.S", [Placed.wireName], while: { true }) { rows in
            await sender.send(rows)
        }
        while outbox.runningObservers.first?.state != .running { await Task.yield() }
        for number in 1...5 { try outbox.post(Placed(number: number)) }
        while await !sender.isCalled { await Task.yield() }
        while row(inspector)?.waiting != 5 { await Task.yield() }
        let entry = try #require(center.observations.first { $0.observer.label == "relay.shop.S" })
        #expect(entry.queued == 5 && "\(entry.observer)".contains(#"named "relay.shop.S""#))
        while (row(inspector)?.oldestWait ?? 0) <= 0 { await Task.yield() }
        await sender.goOn()
        while row(inspector)?.waiting != 0 || row(inspector)?.calls != 5 { await Task.yield() }
        running.stop()
        await running.waitForEnd()
        while row(inspector) != nil { await Task.yield() }
        #expect(!center.observations.contains { $0.observer.label == "relay.shop.S" })
        await outbox.finish(within: .seconds(600))
    }

    @Test func `what is refused for ever is counted as failed, and a backlog that is too long is told by the name`()
        async throws
    {
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let sender = Sender(.refused("too large"))
        let running = outbox.relaySource.access.run("relay.shop.S", [Placed.wireName], while: { true }) { rows in
            await sender.send(rows)
        }
        while outbox.runningObservers.first?.state != .running { await Task.yield() }
        for number in 1...30 { try outbox.post(Placed(number: number)) }
        while await !sender.isCalled { await Task.yield() }
        let health = center.health(WarningThresholds(waiting: 10))
        #expect(!health.isWell && health.isAlive && health.description.contains(#"named "relay.shop.S""#), "\(health)")
        await sender.goOn()
        func entry() -> ObservationStatus? {
            center.observations.first { $0.observer.label == "relay.shop.S" }
        }
        while entry()?.failed != 30 { await Task.yield() }
        #expect(center.health(WarningThresholds(waiting: 10)).isWell)
        running.stop()
        await running.waitForEnd()
        await outbox.finish(within: .seconds(600))
    }
}
