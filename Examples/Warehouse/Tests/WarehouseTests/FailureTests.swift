import Foundation
import GRDB
import InMemoryLogging
import Logging
import MetricsTestKit
import ServiceLifecycleTestKit
import Testing
import Tidings
import TidingsOutbox
import TidingsServer

@testable import Warehouse

/// Tests that inject failures into the running server. The log and the metrics must name the observer that causes a
/// failure.
@Suite(.timeLimit(.minutes(20))) struct FailureTests {
    private let folder = Folder()
    private let log = InMemoryLogHandler()
    private let metrics = TestMetrics()

    private struct MailServerIsBusy: Error {}

    /// Runs a server with effects outside the database, and shuts it down.
    private func run(
        _ outside: [Effects.Kind: Effects.Outside], waiting: Int = 10, call: Duration = .milliseconds(400),
        _ body: @Sendable (Warehouse<SQLiteOutboxStore>) async throws -> Void
    ) async throws {
        let logger = Logger(label: "FailureTests") { [log] _ in log }
        var settings = Settings(folder: folder.path, stock: ["book": 1_000])
        settings.outside = outside
        settings.monitors = [LoggingMonitor(logger, logsErrorText: true), MetricsMonitor(factory: metrics)]
        settings.thresholds = WarningThresholds(waiting: waiting, call: call)
        settings.limit = .seconds(600)
        let warehouse = try await Warehouse(settings, logger: logger)
        try await testGracefulShutdown { shutdown in
            try await body(warehouse)
            shutdown.triggerGracefulShutdown()
            for service in warehouse.services.reversed() { try await service.run() }
        }
    }

    private func lines(_ message: String, _ observer: String) -> [Logger.Metadata] {
        log.entries.filter { "\($0.message)" == message }.map(\.metadata)
            .filter { $0["tidings.observer"] == "\(observer)" }
    }

    private func counted(_ label: String, _ kind: String) -> Set<String> {
        Set(
            metrics.counters.filter { $0.label == label && $0.dimensions.contains { $0 == ("kind", kind) } }
                .compactMap { $0.dimensions.first { $0.0 == "observer" }?.1 })
    }

    private func gauge(_ label: String, _ observer: String) -> Double {
        metrics.recorders.first { $0.label == label && $0.dimensions.contains { $0 == ("observer", observer) } }?
            .lastValue ?? 0
    }

    /// Each monitor checks the running calls on its own, so one monitor may notice an event before another one does.
    private func wait(until condition: @Sendable () -> Bool) async { while !condition() { await Task.yield() } }

    @Test func `each failure names the observer that throws one time in three, and no other observer`() async throws {
        let calls = Counter()
        let outside: Effects.Outside = { _ in
            let number = await calls.count()
            if number <= 30, number % 3 == 0 { throw MailServerIsBusy() }
        }
        try await run([.mailed: outside]) { warehouse in
            for id in 1...30 {
                let answer = try await warehouse.answer(to: Order(id: id, item: "book", quantity: 1))
                #expect(answer.status == .created)
            }
            await warehouse.outbox.drain(within: .seconds(600))
            for id in 1...30 {
                let fate = try await warehouse.storage.fate(of: id)
                #expect(fate.isOnce)
            }
        }
        let failed = lines("notification failed", "mailed")
        #expect(!failed.isEmpty)
        #expect(failed.allSatisfy { "\($0["tidings.reason"] ?? "")".contains("MailServerIsBusy") })
        #expect(failed.allSatisfy { $0["tidings.post"] != nil && $0["tidings.group"] == "warehouse" })
        #expect(log.entries.count { $0.message == "notification failed" } == failed.count)
        #expect(counted("tidings.failures", "observer threw") == ["mailed"])
        let failures = metrics.counters.filter { $0.label == "tidings.failures" }.map(\.totalValue).reduce(0, +)
        let told = lines("notifications failed", "mailed").compactMap { Int("\($0["tidings.count"] ?? "")") }
        #expect(failures == Int64(failed.count + told.reduce(0, +)))
        #expect(failures == 10)
        // Successful deliveries name their observer, too.
        let timed = metrics.timers(label: "tidings.delivery.duration").compactMap { timer in
            timer.dimensions.first { $0.0 == "observer" }?.1
        }
        #expect(Set(Effects.Kind.allCases.map(\.rawValue)).isSubset(of: timed))
    }

    @Test func `a hanging observer is named while it hangs, and the server is reported as not alive`() async throws {
        let turnstile = Turnstile()
        try await run([.sent: { _ in await turnstile.pass() }]) { [self] warehouse in
            #expect(try await warehouse.answer(to: Order(id: 1, item: "book", quantity: 1)).status == .created)
            await wait { !lines("a call is taking long", "sent").isEmpty && gauge("tidings.call.age", "sent") > 0 }
            await wait { counted("tidings.warnings", "slow_call").contains("sent") }
            let answer = try await warehouse.answer(to: "/alive")
            #expect(answer.status == .serviceUnavailable && answer.body.contains(#"named \"sent\""#), "\(answer.body)")
            turnstile.open()
            await wait { !lines("the observer continues", "sent").isEmpty && gauge("tidings.call.age", "sent") == 0 }
            await wait { counted("tidings.recoveries", "call_recovered").contains("sent") }
        }
    }

    @Test func `while the queue of a slow observer grows, warnings name the observer, and so does the recovery`()
        async throws
    {
        let turnstile = Turnstile()
        try await run([.projected: { _ in await turnstile.pass() }], call: .seconds(1)) { [self] warehouse in
            for id in 1...30 { _ = try await warehouse.answer(to: Order(id: id, item: "book", quantity: 1)) }
            await wait { !lines("many notifications wait", "projected").isEmpty }
            await wait { counted("tidings.warnings", "long_queue").contains("projected") }
            await wait { gauge("tidings.queue.stored", "projected") > 10 }
            let answer = try await warehouse.answer(to: "/ready")
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.body.contains(#"named \"projected\""#), "\(answer.body)")
            turnstile.open()
            await wait { !lines("the queue has recovered", "projected").isEmpty }
            await wait { gauge("tidings.queue.stored", "projected") == 0 }
        }
    }

    @Test func `while the database is locked, clients receive an error, and each failure names the observer`()
        async throws
    {
        let turnstile = Turnstile()
        try await run([.audited: { _ in await turnstile.pass() }], call: .seconds(60)) { [self] warehouse in
            #expect(try await warehouse.answer(to: Order(id: 1, item: "book", quantity: 1)).status == .created)
            // An observer can't be registered while the database is locked, so the test waits for the first call.
            await turnstile.waitForSomebody()
            var configuration = Configuration()
            configuration.busyMode = .timeout(600)
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: "\(folder.path)/orders.sqlite", configuration: configuration)
            try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
            turnstile.open()
            #expect(
                try await warehouse.answer(to: Order(id: 2, item: "book", quantity: 1)).status == .serviceUnavailable)
            await wait { !lines("notification failed", "audited").isEmpty }
            #expect(
                lines("notification failed", "audited").allSatisfy {
                    "\($0["tidings.reason"] ?? "")".contains("database is locked")
                })
            await wait { counted("tidings.failures", "observer threw").contains("audited") }
            try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
            // The client sends the refused order again, and all effects happen.
            #expect(try await warehouse.answer(to: Order(id: 2, item: "book", quantity: 1)).status == .created)
            await warehouse.outbox.drain(within: .seconds(600))
            for id in 1...2 { #expect(try await warehouse.storage.fate(of: id).isOnce) }
        }
    }
}
