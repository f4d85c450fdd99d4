import TestSupport
import Testing
import Tidings
import TidingsInspector
import TidingsTesting

@testable import TidingsRelay

#if Metrics
    import CoreMetrics
    import MetricsTestKit
#endif

@Suite(.timeLimit(.ofServers)) struct LagTests {
    private static let limits = RelayOptions.LagLimits(age: .seconds(1), waiting: 5)

    /// Returns a program that has one notification in progress, nine waiting notifications and a dead letter.
    private func program(_ server: ServerProcess, _ gate: Gate) async throws -> (RelayedProgram, NotificationToken) {
        let route = RelayRoute.durable(Tick.self, stream: "TICKS", group: "workers", from: .stored).consuming {
            $0.retryPolicy = []
            ($0.inProgressLimit, $0.prefetchLimit) = (1, 0)
        }
        let worker = try RelayedProgram("worker", server, [route]) {
            $0.lagInterval = .milliseconds(100)
            $0.lagLimits = Self.limits
        }
        let token = worker.center.addObserver(on: .task, for: RelayedNotification<Tick>.self) { received in
            if received.notification.number == 0 { received.retry() } else { await gate.wait() }
        }
        await worker.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        for number in 0...10 { try await shop.relay.publish(Tick(poster: 1, number: number)) }
        await shop.stop()
        _ = await worker.fault(.deadLetter)
        return (worker, token)
    }

    private func isHeldUp(_ routes: [LagReport.Route]) -> Bool {
        routes.count == 1 && routes[0].waiting == 9 && routes[0].inProgress == 1 && routes[0].deadLetters == 1
            && routes[0].oldestAge.map { $0 > .seconds(1) } == true
    }

    @Test func `a relay is unhealthy while a route is held up, and an inspector shows the route's lag`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let gate = Gate()
        let (worker, token) = try await program(server, gate)
        let inspector = Inspector(of: worker.center, Inspected(worker.relay))
        await eventually("the route is held up") { isHeldUp(worker.relay.lag.routes) }
        let problems = worker.relay.health().problems
        #expect(problems.map(\.kind) == [.longWait, .longQueue])
        #expect(problems.allSatisfy { $0.description.contains("test.tick in the stream TICKS for workers") })
        let row = try #require(inspector.snapshot().relays?.first)
        #expect(row.name == "worker" && row.connected && row.error == nil && row.outgoing == 0)
        let route = try #require(row.routes.first)
        #expect(route.notification == "test.tick" && route.stream == "TICKS" && route.group == "workers")
        #expect(route.waiting == 9 && route.inProgress == 1 && route.deadLetters == 1 && route.oldestAge ?? 0 > 1)
        gate.open()
        await eventually("the worker is healthy") { worker.relay.health().isWell }
        await eventually(
            "no notification is left", { worker.relay.lag.routes.map({ $0.waiting + $0.inProgress }) },
            until: { $0 == [0] })
        #expect(worker.relay.lag.routes[0].oldestAge == nil && worker.relay.lag.routes[0].deadLetters == 1)
        await worker.stop()
        withExtendedLifetime(token) {}
    }

    #if Metrics
        @Test func `metrics have one set of labels for each route, and show whether the server is connected`()
            async throws
        {
            let server = try ServerProcess()
            try await server.start()
            let gate = Gate()
            let (worker, token) = try await program(server, gate)
            let metrics = TestMetrics()
            worker.relay.measure(with: metrics, dimensions: [("program", "worker")])
            let program = [("program", "worker")]
            let labels = [("notification", "test.tick"), ("stream", "TICKS"), ("group", "workers")] + program
            func value(_ name: String, _ labels: [(String, String)]) -> Double? {
                (try? metrics.expectRecorder("tidings.relay.\(name)", labels))?.lastValue
            }
            // The gauges are recorded one after another, so the test may read them after only some are updated.
            await eventually("all gauges show the lag") {
                value("backlog", labels) == 9 && value("age", labels) ?? 0 > 1 && value("in_progress", labels) == 1
                    && value("dead_letters", labels) == 1
            }
            #expect(value("redelivered", labels) == 0)
            #expect(value("connected", program) == 1 && value("lag_fails", program) == 0)
            #expect(value("unsent", program) == 0 && value("unsent_bytes", program) == 0)
            await server.kill9()
            await eventually("the gauge shows no connection", { value("connected", program) }, until: { $0 == 0 })
            // While the lag is unknown, the backlog gauge keeps its last value instead of showing zero.
            #expect(value("backlog", labels) == 9)
            try await server.start()
            await eventually("the gauge shows a connection", { value("connected", program) }, until: { $0 == 1 })
            gate.open()
            await eventually("backlog and age are zero") { value("backlog", labels) == 0 && value("age", labels) == 0 }
            await worker.stop()
            // A query that was running when the relay ended may record the previous value first.
            await eventually("the gauge shows no connection", { value("connected", program) }, until: { $0 == 0 })
            #expect(metrics.recorders.count { $0.label == "tidings.relay.backlog" } == 1)
            withExtendedLifetime(token) {}
        }
    #endif
}
