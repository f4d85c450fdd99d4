import CoreMetrics
import MetricsTestKit
import Testing
import Tidings
import TidingsCombine
import TidingsServer

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

@Suite(.timeLimit(.minutes(2))) struct PublisherMetricsTests {
    private let center = NativeNotificationCenter()
    private let metrics = TestMetrics()

    @Test func `the drops of a publisher are counted in the metrics, but not the length of its queue`() {
        let center = center
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        // The notifications that the subscriber posts during its call are queued or dropped.
        let cancellable = center.publisher(for: Counted.self, buffering: .oldest(1)).sink { note in
            guard note.number == 0 else { return }
            for number in 1...2 { center.post(Counted(number: number)) }
        }
        center.post(Counted(number: 0))
        let dropped = metrics.counters.filter { $0.label == "tidings.dropped" }
        #expect(dropped.map(\.totalValue) == [1])
        #expect(metrics.recorders.isEmpty)
        // All counters with the same label must have the same dimensions. Otherwise, Prometheus stops the program.
        #expect(dropped.map { $0.dimensions.map(\.0) } == [["notification", "delivery", "observer", "group"]])
        withExtendedLifetime((attachment, cancellable)) {}
    }

    @Test func `a synchronous observer has no metrics of a queue`() {
        let attachment = center.attach(MetricsMonitor(factory: metrics))
        let token = center.addObserver(for: Counted.self) { _ in }
        center.post(Counted(number: 0))
        token.cancel()
        #expect(metrics.counters.allSatisfy { $0.label != "tidings.dropped" })
        #expect(metrics.recorders.isEmpty)
        withExtendedLifetime(attachment) {}
    }
}
