import TestSupport
import Testing
import Tidings
import TidingsInspector
import TidingsOutbox
import TidingsTesting

#if Metrics
    import MetricsTestKit
#endif

@Suite(.timeLimit(.minutes(2))) struct KnownObserverTests {
    private let center = NativeNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()

    private func open() async throws -> NotificationOutbox<InMemoryOutboxStore> {
        try await NotificationOutbox(store, of: center, options: .quick, clock: clock)
    }

    @discardableResult
    private func observe(
        _ outbox: NotificationOutbox<InMemoryOutboxStore>, retrying delays: RetryPolicy = .standard
    ) -> NotificationToken {
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, retrying: delays) { me, note in
            try await me.handle(note)
        }
    }

    @Test func `the center's health reports a durable observer that hangs, and its backlog of stored notifications`()
        async throws
    {
        let outbox = try await open()
        await worker.hold()
        observe(outbox)
        for number in 0..<5 { try outbox.post(Placed(number: number)) }
        await worker.waitForAttempts(1)
        // The clock that measures calls is coarse, so the duration may be zero at first.
        let thresholds = WarningThresholds(waiting: 3, call: .zero)
        await eventually("the call is reported as slow") {
            !center.health(thresholds).problems.allSatisfy({ $0.kind != .slowCall })
        }
        let health = center.health(thresholds)
        #expect(health.problems.map(\.kind) == [.slowCall, .longQueue])
        #expect(!health.isAlive)
        #expect(center.health(WarningThresholds(waiting: 10, call: .seconds(3600))).isWell)
        await worker.letGo()
        await outbox.drain(within: .seconds(600))
        #expect(center.health(thresholds).isWell)
        await outbox.finish(within: .seconds(10))
    }

    @Test func `the outbox's health reports a failing store until the store works again`() async throws {
        let outbox = try await open()
        #expect(outbox.health().isWell)
        store.failure = Refused()
        await clock.advance("a problem is reported", { outbox.health() }, until: { !$0.isWell })
        let health = outbox.health()
        #expect(health.problems.map(\.kind) == [.failingStore])
        #expect(health.isAlive)
        #expect(health.description == "the store of the outbox fails: Refused()")
        store.failure = nil
        await clock.advance("the outbox is healthy", { outbox.health() }, until: \.isWell)
        await outbox.finish(within: .seconds(10))
    }

    @Test func `the outbox's health describes a failing durable observer, and the outbox still counts as alive`()
        async throws
    {
        let outbox = try await open()
        await worker.fail(1, times: 3)
        observe(outbox, retrying: RetryPolicy([.seconds(5), .seconds(30), .seconds(60)]))
        try outbox.post(Placed(number: 1))
        try outbox.post(Placed(number: 2))
        await clock.advance("a problem is reported", by: .seconds(1), { outbox.health() }, until: { !$0.isWell })
        #expect(clock.now.offset >= .seconds(10))
        let health = outbox.health()
        #expect(health.problems.map(\.kind) == [.longWait])
        #expect(health.isAlive && (health + center.health()).isAlive)
        #expect(health.description.contains("worker has failed for 1") && health.description.contains("Refused()"))
        #expect(outbox.runningObservers.map(\.lastError) == ["Refused()"])
        await clock.advance("both calls succeeded", by: .seconds(1), { await worker.numbers }, until: { $0 == [1, 2] })
        await clock.advance("the outbox is healthy", { outbox.health() }, until: \.isWell)
        await outbox.finish(within: .seconds(10))
    }

    @Test func `the center lists how many notifications an observer retries, and how many have failed`() async throws {
        let outbox = try await open()
        await worker.fail(1, times: 9)
        observe(outbox, retrying: RetryPolicy([.seconds(5)]))
        try outbox.post(Placed(number: 1))
        await clock.advance(
            "a call is retried", by: .milliseconds(10), { center.observations.map(\.retrying) }, until: { $0 == [1] })
        #expect(center.observations.map(\.failed) == [0])
        await clock.advance(
            "the notification has failed and is no longer retried", by: .seconds(1),
            { center.observations.map { [$0.failed, $0.retrying] } }, until: { $0 == [[1, 0]] })
        await outbox.finish(within: .seconds(10))
    }

    @Test func `monitors receive a durable observer's registration, calls, failures and end, and calls are counted`()
        async throws
    {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let outbox = try await open()
        await worker.fail(2, times: 1)
        let token = observe(outbox, retrying: .none)
        for number in 1...3 { try outbox.post(Placed(number: number)) }
        await outbox.drain(within: .seconds(600))
        token.cancel()
        #expect(monitor.deliveries.map(\.observer.subject.name).allSatisfy { $0.hasSuffix("Placed") })
        #expect(monitor.deliveries.count == 3)
        #expect(monitor.failures.count == 1)
        #expect(monitor.words.filter { $0 == "registered" }.count == 1)
        #expect(monitor.words.filter { $0 == "ended" }.count == 1)
        let row = try #require(center.statistics.rows.first { $0.subject.name.contains("DurableDelivery") })
        #expect(row.deliveries == 3 && row.failures == 1)
        withExtendedLifetime(attachment) {}
        await outbox.finish(within: .seconds(10))
    }

    @Test func `an inspector's row for a durable observer shows the observer's name and backlog`() async throws {
        let outbox = try await open()
        let inspector = Inspector(of: center)
        await worker.hold()
        observe(outbox)
        for number in 0..<5 { try outbox.post(Placed(number: number)) }
        await worker.waitForAttempts(1)
        let rows: [InspectorSnapshot.Observer] = inspector.snapshot().observers.filter { $0.type.hasSuffix("Placed") }
        #expect(rows.map(\.waiting) == [5])
        #expect(rows.first?.place.contains("KnownObserverTests.swift") == true)
        // The row has the observer's name and the program's own type, not the identity and type that the outbox uses
        // internally.
        #expect(rows.first?.name == "worker" && rows.first?.sender == nil)
        let types = inspector.snapshot().types
        #expect(!types.contains { $0.name.contains("DurableDelivery") })
        #expect(types.filter { $0.name.hasSuffix("Placed") }.map(\.observers) == [1])
        await worker.letGo()
        await outbox.drain(within: .seconds(600))
        await outbox.finish(within: .seconds(10))
    }

    #if Metrics
        @Test func `metrics of an observer count waiting, retried, handled, failed and dead-letter notifications`()
            async throws
        {
            let metrics = TestMetrics()
            let outbox = try await open()
            outbox.measure(with: metrics, dimensions: [("center", "shop")])
            await worker.fail(2, times: 9)
            observe(outbox, retrying: RetryPolicy([.seconds(1)]))
            for number in 1...3 { try outbox.post(Placed(number: number)) }
            let dimensions = [("observer", "worker"), ("center", "shop")]
            await clock.advance(
                "a call is retried", by: .milliseconds(10), { outbox.runningObservers.first?.held }, until: { $0 == 1 })
            var held: TestRecorder? { try? metrics.expectGauge("tidings.outbox.held", dimensions) }
            var runs: TestRecorder? { try? metrics.expectGauge("tidings.outbox.runs", dimensions) }
            // The gauges are recorded one after another, so the test may read them after only some are updated.
            await clock.advance(
                "the gauges are recorded", by: .milliseconds(20), { [held?.lastValue, runs?.lastValue] },
                until: { $0 == [1, 1] })
            #expect(try metrics.expectGauge("tidings.outbox.store_fails", [("center", "shop")]).lastValue == 0)
            await clock.advance("two notifications are handled", { await worker.numbers }, until: { $0 == [1, 3] })
            await outbox.drain(within: .seconds(600))
            let handled = try metrics.expectCounter("tidings.outbox.handled", dimensions)
            let backlog = try metrics.expectGauge("tidings.outbox.backlog", dimensions)
            await clock.advance(
                "two notifications are counted, and none waits",
                { [Double(handled.totalValue), held?.lastValue, backlog.lastValue] }, until: { $0 == [2, 0, 0] })
            #expect(handled.totalValue == 2)
            #expect(try metrics.expectCounter("tidings.outbox.failures", dimensions).totalValue == 2)
            #expect(try metrics.expectCounter("tidings.outbox.dead_letters", dimensions).totalValue == 1)
            store.failure = Refused()
            let fails = try metrics.expectGauge("tidings.outbox.store_fails", [("center", "shop")])
            await clock.advance("the failure is recorded", { fails.lastValue }, until: { $0 == 1 })
            store.failure = nil
            await outbox.finish(within: .seconds(10))
        }

        @Test func `metrics name at most a hundred observers and combine the others`() async throws {
            let metrics = TestMetrics()
            let outbox = try await open()
            outbox.measure(with: metrics)
            let workers = (0..<103).map { _ in Worker() }
            for (number, worker) in workers.enumerated() {
                outbox.addObserver(worker, named: "worker-\(number)", on: .actor, for: Placed.self) { me, note in
                    try await me.handle(note)
                }
            }
            try outbox.post(Placed(number: 1))
            await outbox.drain(within: .seconds(600))
            var counters: [TestCounter] { metrics.counters.filter { $0.label == "tidings.outbox.handled" } }
            await clock.advance(
                "103 calls are counted", { counters.reduce(0, { $0 + $1.totalValue }) }, until: { $0 >= 103 })
            #expect(counters.count == 101)
            #expect(try metrics.expectCounter("tidings.outbox.handled", [("observer", "other")]).totalValue == 3)
            await outbox.finish(within: .seconds(10))
        }
    #endif
}
