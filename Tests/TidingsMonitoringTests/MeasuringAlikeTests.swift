import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct MeasuringAlikeTests {
    private let center = NativeNotificationCenter()

    /// A post reports its calls in groups of 32. With 100 observers, the test also covers calls after such a report.
    @Test(arguments: [3, 100]) func `a call isn't reported as longer than the post that made it`(count: Int) {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let tokens = (0..<count).map { _ in center.addObserver(for: Ping.self) { _ in } }
        let clock = ContinuousClock()
        let elapsed = clock.measure { center.post(Ping()) }
        #expect(monitor.deliveries.count == count)
        for delivery in monitor.deliveries {
            #expect(delivery.duration.map { $0 >= .zero && $0 <= elapsed } == true)
        }
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `two monitors receive every call, but only the monitor that requests durations receives durations`() {
        let (measuring, counting) = (RecordingMonitor(), RecordingMonitor())
        let attachments = [
            center.attach(measuring, interests: [.deliveries, .durations]),
            center.attach(counting, interests: [.deliveries]),
        ]
        let tokens = (0..<2).map { _ in center.addObserver(for: Ping.self) { _ in } }
        center.post(Ping())
        #expect(measuring.deliveries.map { $0.duration != nil } == [true, true])
        #expect(counting.deliveries.map { $0.duration != nil } == [false, false])
        withExtendedLifetime((attachments, tokens)) {}
    }
}
