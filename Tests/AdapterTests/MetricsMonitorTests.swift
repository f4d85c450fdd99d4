import CoreMetrics
import MetricsTestKit
import TestSupport
import Testing
import Tidings
import TidingsServer
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct MetricsMonitorTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let metrics = TestMetrics()

    @Test func `posts and calls are counted and timed for each notification type and delivery`() throws {
        let clock = clock
        let attachment = center.attach(MetricsMonitor(factory: metrics), clock: clock)
        let tokens = [1, 2].map { number in
            center.addObserver(for: Cleared.self) { _ in clock.advance(by: .milliseconds(number)) }
        }
        for _ in 0..<3 { center.post(Cleared()) }
        let postedAt = [("posted_at", "\(thisFile()):\(#line - 1)")]
        let notification = [("notification", "AdapterTests.Cleared")]
        let kind = notification + [("delivery", "in_post")]
        let observer = kind + [("observer", "AdapterTests/MetricsMonitorTests.swift"), ("group", "none")]
        #expect(try metrics.expectCounter("tidings.posts", notification + postedAt).totalValue == 3)
        #expect(
            try metrics.expectTimer("tidings.post.duration", notification).values
                == Array(repeating: 3_000_000, count: 3))
        #expect(try metrics.expectCounter("tidings.deliveries", observer).totalValue == 6)
        #expect(
            try metrics.expectTimer("tidings.delivery.duration", observer).values
                == [1, 2, 1, 2, 1, 2].map { $0 * 1_000_000 })
        #expect(try metrics.expectCounter("tidings.registrations", kind).totalValue == 2)
        #expect(metrics.timers(label: "tidings.queue.wait_time").isEmpty)
        #expect(metrics.recorders.isEmpty)
        for token in tokens { token.cancel() }
        #expect(try metrics.expectCounter("tidings.ends", kind).totalValue == 2)
        withExtendedLifetime(attachment) {}
    }

    @Test func `the monitor requests all events, because each has a metric`() {
        #expect(MetricsMonitor(factory: metrics).interests == .everything)
    }

    @Test func `without a metrics backend, the monitor requests no events`() {
        #expect(MetricsMonitor(factory: NOOPMetricsHandler.instance).interests == [])
    }

    @Test
    func `observers with the same dimensions share metrics of queue depth, waiting times and drops`() async throws {
        let (actor, monitor) = (StoppedActor(), MetricsMonitor(factory: metrics, dimensions: [("center", "main")]))
        let attachment = center.attach(monitor, thresholds: WarningThresholds(waiting: 1, ownerAge: nil), clock: clock)
        let tokens = (0..<2).map { _ in
            center.addObserver(actor, on: .actor, for: Counted.self, buffering: .oldest(2)) { _, _ in }
        }
        for number in 0..<3 { center.post(Counted(number: number)) }
        clock.advance(by: .seconds(1))
        let notification = [("notification", "AdapterTests.Counted")]
        let main = [("center", "main")]
        let name = [("observer", "TestSupport.StoppedActor"), ("group", "none")]
        let observer = notification + [("delivery", "actor")] + name
        let depth = try metrics.expectGauge("tidings.queue.depth", observer + main)
        #expect(depth.values == [1, 2, 3, 4])
        #expect(try metrics.expectCounter("tidings.dropped", observer + main).totalValue == 2)
        tokens[0].cancel()
        #expect(depth.lastValue == 2)
        await actor.executor.run { depth.lastValue == 0 }
        #expect(
            try metrics.expectTimer("tidings.queue.wait_time", observer + main).values == [
                1_000_000_000, 1_000_000_000,
            ])
        #expect(
            try metrics.expectCounter("tidings.warnings", notification + [("kind", "long_queue")] + name + main)
                .totalValue
                == 2)
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `failures are counted by kind`() throws {
        let monitor = MetricsMonitor(factory: metrics)
        for _ in 0..<2 {
            monitor.receive(
                .failed(
                    NotificationFailure(notification: "N", kind: "could not be decoded", description: "", error: nil)))
        }
        let failures = try metrics.expectCounter(
            "tidings.failures",
            [("notification", "N"), ("kind", "could not be decoded"), ("observer", "none"), ("group", "none")])
        #expect(failures.totalValue == 2)
        #expect(failures.values == [1, 1])
    }

    private struct Refusal: Error {}

    private actor Mailer {}
    private actor Projection {}

    @Test func `an observer's metrics name its group, and its owner's type or its source file`() async throws {
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        let (mailer, group) = (Mailer(), ObserverGroup("projection"))
        center.addObserver(on: .task, for: Counted.self) { _ in throw Refusal() }.store(in: group)
        center.addObserver(mailer, on: .actor, for: Counted.self) { _, _ in throw Refusal() }
        let token = center.addObserver(on: .task, for: Counted.self) { _ in throw Refusal() }
        center.post(Counted(number: 0))
        await center.drain(within: .seconds(600))
        for (name, delivery, group) in [
            ("AdapterTests/MetricsMonitorTests.swift", "task", "projection"),
            ("AdapterTests.MetricsMonitorTests.Mailer", "actor", "none"),
            ("AdapterTests/MetricsMonitorTests.swift", "task", "none"),
        ] {
            let observer = [
                ("notification", "AdapterTests.Counted"), ("delivery", delivery), ("observer", name), ("group", group),
            ]
            #expect(try metrics.expectTimer("tidings.delivery.duration", observer).values.count == 1)
            #expect(try metrics.expectTimer("tidings.queue.wait_time", observer).values.count == 1)
            #expect(try metrics.expectGauge("tidings.queue.depth", observer).lastValue == 0)
            let failures = [observer[0], ("kind", "observer threw"), observer[2], observer[3]]
            #expect(try metrics.expectCounter("tidings.failures", failures).totalValue == 1)
        }
        withExtendedLifetime((attachment, mailer, token)) {}
    }

    @Test func `metrics distinguish observers that the same source line registers in different groups`() async throws {
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        let groups = ["first", "second"].map { ObserverGroup($0) }
        for group in groups {
            center.addObserver(on: .task, for: Counted.self) { [name = group.name] _ in
                if name == "second" { throw Refusal() }
            }
            .store(in: group)
        }
        center.post(Counted(number: 0))
        await center.drain(within: .seconds(600))
        for group in groups {
            let observer = [
                ("notification", "AdapterTests.Counted"), ("delivery", "task"),
                ("observer", "AdapterTests/MetricsMonitorTests.swift"), ("group", group.name),
            ]
            #expect(try metrics.expectTimer("tidings.delivery.duration", observer).values.count == 1)
            #expect(try metrics.expectGauge("tidings.queue.depth", observer).lastValue == 0)
        }
        let failures = metrics.counters.filter { $0.label == "tidings.failures" }
        #expect(failures.compactMap { $0.dimensions.first { $0.0 == "group" }?.1 } == ["second"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `the age metrics of a hanging call and of its queue are positive until the call continues`()
        async throws
    {
        let (gate, clock, group) = (Gate(), clock, ObserverGroup("mails"))
        let attachment = center.attach(MetricsMonitor(factory: metrics), clock: clock)
        center.addObserver(on: .task, for: Counted.self) { _ in await gate.wait() }.store(in: group)
        let observer = [
            ("notification", "AdapterTests.Counted"), ("delivery", "task"),
            ("observer", "AdapterTests/MetricsMonitorTests.swift"), ("group", "mails"),
        ]
        func age(_ label: String) -> Double { (try? metrics.expectGauge(label, observer).lastValue) ?? 0 }
        for number in 0..<2 { center.post(Counted(number: number)) }
        await eventually("both ages are shown") {
            clock.advance(by: .seconds(3))
            return age("tidings.call.age") > 0 && age("tidings.queue.age") > 0
        }
        gate.open()
        await center.drain(within: .seconds(600))
        await eventually("both ages are zero") {
            clock.advance(by: .seconds(3))
            return age("tidings.call.age") == 0 && age("tidings.queue.age") == 0
        }
        #expect(metrics.recorders.allSatisfy { $0.label != "tidings.queue.stored" })
        withExtendedLifetime(attachment) {}
    }

    @Test func `observers with different owners in one group have separate metrics`() async throws {
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        let (mailer, projection, group) = (Mailer(), Projection(), ObserverGroup("orders"))
        center.addObserver(mailer, on: .actor, for: Counted.self) { _, _ in }.store(in: group)
        center.addObserver(projection, on: .actor, for: Counted.self) { _, _ in }.store(in: group)
        for number in 0..<3 { center.post(Counted(number: number)) }
        await center.drain(within: .seconds(600))
        for name in ["Mailer", "Projection"].map({ "AdapterTests.MetricsMonitorTests.\($0)" }) {
            let observer = [
                ("notification", "AdapterTests.Counted"), ("delivery", "actor"), ("observer", name),
                ("group", "orders"),
            ]
            #expect(try metrics.expectCounter("tidings.deliveries", observer).totalValue == 3)
        }
        withExtendedLifetime((attachment, mailer, projection)) {}
    }

    @Test func `a failed attempt counts as a retry if it is retried, and as a failure if it is the last`()
        async throws
    {
        let attachment = center.attach(MetricsMonitor(factory: metrics), clock: clock)
        let token = center.addObserver(
            on: .task, for: Counted.self, onFailure: .retry(after: [.zero, .zero])
        ) { _ in throw Refusal() }
        center.post(Counted(number: 0))
        await center.drain(within: .seconds(600))
        let dimensions = [
            ("notification", "AdapterTests.Counted"), ("kind", "observer threw"),
            ("observer", "AdapterTests/MetricsMonitorTests.swift"), ("group", "none"),
        ]
        #expect(try metrics.expectCounter("tidings.retries", dimensions).totalValue == 2)
        #expect(try metrics.expectCounter("tidings.failures", dimensions).totalValue == 1)
        #expect(center.statistics[Counted.self]?.failures == 1)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test
    func `an observer that receives nothing has a delivery count of 0, and posts without observers are counted`()
        throws
    {
        struct Branch: Hashable, Sendable { let name: String }
        struct Opened: TypedNotification { let sender: Branch }
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        let token = center.addObserver(for: Opened.self, sender: Branch(name: "a")) { _ in }
        #expect(metrics.counters.allSatisfy { $0.label != "tidings.deliveries" })
        for _ in 0..<4 { center.post(Opened(sender: Branch(name: "b"))) }
        let deliveries = metrics.counters.filter { $0.label == "tidings.deliveries" }
        #expect(deliveries.map(\.totalValue) == [0])
        #expect(metrics.counters.first { $0.label == "tidings.posts.unobserved" }?.totalValue == 4)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `drops of the policy latest(1), which is meant to drop, are counted without a warning`() async throws {
        let attachment = center.attach(MetricsMonitor(factory: metrics), clock: clock)
        let sequences = (
            center.notifications(of: Counted.self, buffering: .latest(1)),
            center.notifications(of: Counted.self, buffering: .latest(2))
        )
        for number in 0..<5 { center.post(Counted(number: number)) }
        clock.advance(by: .seconds(1))
        attachment.check()
        #expect(metrics.counters.filter { $0.label == "tidings.dropped" }.map(\.totalValue) == [7])
        // The monitor's timer may have collected the report, but not counted it yet.
        await eventually(
            "a warning is counted", { metrics.counters.filter { $0.label == "tidings.warnings" }.map(\.totalValue) },
            until: { $0 == [1] })
        withExtendedLifetime(sequences) {}
    }

    private struct Hidden: TypedNotification {}

    @Test func `a private type has the same name in each run of the program`() throws {
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        center.post(Hidden())
        let notification = [("notification", "AdapterTests.MetricsMonitorTests.Hidden")]
        #expect(try metrics.expectTimer("tidings.post.duration", notification).values.count == 1)
        withExtendedLifetime(attachment) {}
    }

    @Test func `a recovery is counted as a recovery, not as a warning`() async {
        let actor = StoppedActor()
        let attachment = center.attach(
            MetricsMonitor(factory: metrics), thresholds: WarningThresholds(waiting: 2, call: nil))
        center.addObserver(actor, on: .actor, for: Counted.self) { _, _ in }
        for number in 0..<3 { center.post(Counted(number: number)) }
        func counted(_ label: String) -> [String] {
            metrics.counters.filter { $0.label == label }.compactMap { $0.dimensions.first { $0.0 == "kind" }?.1 }
        }
        #expect(counted("tidings.warnings") == ["long_queue"])
        await actor.executor.finish { counted("tidings.recoveries") == ["queue_recovered"] }
        #expect(counted("tidings.warnings") == ["long_queue"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `a post without a known source line is counted with posted_at set to unknown`() throws {
        let subject = NotificationSubject(named: "N")
        MetricsMonitor(factory: metrics)
            .receive(
                .posted(
                    NotificationPost(id: .init(number: 1), subject: subject, place: nil, observers: 0, duration: .zero))
            )
        let posts = try metrics.expectCounter("tidings.posts", [("notification", "N"), ("posted_at", "unknown")])
        #expect(posts.totalValue == 1)
    }
}

@Suite(.timeLimit(.minutes(2))) struct InstrumentTests {
    @Test
    func `posts of notification names beyond the limit of series are counted in one series`() {
        let metrics = TestMetrics()
        let monitor = MetricsMonitor(factory: metrics, seriesLimit: 1000)
        for round in 1...2 {
            for number in 0..<1100 {
                let subject = NotificationSubject(named: "N\(number)")
                let post = NotificationPost(
                    id: .init(number: UInt64(round)), subject: subject, place: nil, observers: 0, duration: .zero)
                monitor.receive(.posted(post))
            }
        }
        let posts = metrics.counters.filter { $0.label == "tidings.posts" }
        #expect(posts.count == 1001)
        let others = posts.filter { $0.dimensions.contains { $0 == ("notification", "other") } }
        #expect(others.map(\.totalValue) == [200])
        #expect(posts.map(\.totalValue).reduce(0, +) == 2200)
    }

    @Test
    func
        `observers beyond an instrument's limit of series are counted in one series`()
        async
    {
        let (metrics, center) = (TestMetrics(), NativeNotificationCenter())
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        let groups = (0..<1100).map { ObserverGroup("group \($0)") }
        for group in groups { center.addObserver(on: .task, for: Counted.self) { _ in }.store(in: group) }
        for number in 0..<2 { center.post(Counted(number: number)) }
        await center.drain(within: .seconds(600))
        let deliveries = metrics.counters.filter { $0.label == "tidings.deliveries" }
        #expect(deliveries.count == 101)
        #expect(deliveries.map(\.totalValue).reduce(0, +) == 2200)
        withExtendedLifetime((attachment, groups)) {}
    }

    @Test func `an instrument is created once for each label and set of dimensions`() {
        let metrics = TestMetrics()
        let monitor = MetricsMonitor(factory: metrics)
        let center = NativeNotificationCenter()
        let attachment = center.attach(monitor)
        let tokens = (0..<20).map { _ in center.addObserver(for: Cleared.self) { _ in } }
        for _ in 0..<20 { center.post(Cleared()) }
        center.post(Cleared())
        #expect(metrics.counters.filter { $0.label == "tidings.posts" }.map(\.totalValue).sorted() == [1, 20])
        #expect(metrics.counters.filter { $0.label == "tidings.deliveries" }.map(\.totalValue) == [420])
        #expect(metrics.timers(label: "tidings.delivery.duration").map(\.values.count) == [420])
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `an observer that nothing reaches in ten posts and five seconds is counted once as never called`() {
        struct Branch: Hashable, Sendable { let name: String }
        struct Opened: TypedNotification { let sender: Branch }
        // The offset of the monitor's clock from the real time.
        let passed = Lock(Duration.seconds(3600))
        let (metrics, center) = (TestMetrics(), NativeNotificationCenter())
        let monitor = MetricsMonitor(factory: metrics) { .now + passed.withLock { $0 } }
        let attachment = center.attach(monitor)
        let tokens = ["a", "b"].map { center.addObserver(for: Opened.self, sender: Branch(name: $0)) { _ in } }
        func post(_ count: Int) { for _ in 0..<count { center.post(Opened(sender: Branch(name: "b"))) } }
        func uncalled() -> [Int64] {
            metrics.counters.filter {
                $0.label == "tidings.warnings" && $0.dimensions.contains { $0 == ("kind", "never_called") }
            }
            .map(\.totalValue)
        }
        post(9)
        #expect(uncalled() == [])
        passed.withLock { $0 = .seconds(-3600) }
        post(20)
        #expect(uncalled() == [])
        passed.withLock { $0 = .seconds(5) }
        post(1)
        #expect(uncalled() == [1])
        post(20)
        #expect(uncalled() == [1])
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `observers beyond the limit of series share a gauge that counts all their stored notifications`() {
        let (metrics, center) = (TestMetrics(), NativeNotificationCenter())
        let monitor = MetricsMonitor(factory: metrics, seriesLimit: 0)
        let groups = ["first", "second"].map { ObserverGroup($0) }
        for group in groups { center.addObserver(on: .task, for: Counted.self) { _ in }.store(in: group) }
        let attachment = ObjectIdentifier(center)
        let calls = center.observations.compactMap { observation in
            var status = QueueStatus(queued: 2)
            status.isStored = true
            return CallUnderWay(observation.observer, status)
        }
        monitor.look(at: calls, by: attachment)
        func stored() -> [Double?] {
            metrics.recorders.filter { $0.label == "tidings.queue.stored" }.map(\.lastValue)
        }
        #expect(stored() == [4])
        monitor.look(at: Array(calls.prefix(1)), by: attachment)
        #expect(stored() == [2])
        monitor.look(at: [], by: attachment)
        #expect(stored() == [0])
        withExtendedLifetime(groups) {}
    }

    @Test func `the limit of series also holds if several series are created at the same time`() {
        let factory = CountingFactory()
        let monitor = MetricsMonitor(factory: factory, seriesLimit: 1)
        @Sendable func fail(_ name: String) {
            monitor.receive(
                .failed(NotificationFailure(notification: name, kind: "kind", description: "", error: nil)))
        }
        // While the factory creates the counter of the first failure, the monitor counts the second.
        factory.whenMaking.withLock { $0 = { fail("second") } }
        fail("first")
        let counters = factory.metrics.counters.filter { $0.label == "tidings.failures" }
        let names = counters.flatMap(\.dimensions).filter { $0.0 == "notification" }.map(\.1)
        #expect(names.sorted() == ["first", "other"] && counters.map(\.totalValue) == [1, 1])
    }

    @Test func `observers beyond the limit of series share one series, which is created once`() {
        let (factory, center) = (CountingFactory(), NativeNotificationCenter())
        let attachment = center.attach(MetricsMonitor(factory: factory, seriesLimit: 2))
        let groups = (0..<20).map { ObserverGroup("group \($0)") }
        for group in groups { center.addObserver(for: Cleared.self) { _ in }.store(in: group) }
        center.post(Cleared())
        let made = factory.made.withLock { $0.filter { $0 == "tidings.deliveries" }.count }
        #expect(made == 3)
        let deliveries = factory.metrics.counters.filter { $0.label == "tidings.deliveries" }
        #expect(deliveries.map(\.totalValue).sorted() == [1, 1, 18])
        withExtendedLifetime((attachment, groups)) {}
    }
}

private final class CountingFactory: MetricsFactory {
    let metrics = TestMetrics()
    let made = Lock<[String]>([])
    /// Called once, before the next counter is created.
    let whenMaking = Lock<(@Sendable () -> Void)?>(nil)

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        whenMaking.withLock { $0.take() }?()
        made.withLock { $0.append(label) }
        return metrics.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        made.withLock { $0.append(label) }
        return metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        made.withLock { $0.append(label) }
        return metrics.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { metrics.destroyCounter(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { metrics.destroyRecorder(handler) }
    func destroyTimer(_ handler: any TimerHandler) { metrics.destroyTimer(handler) }
}
