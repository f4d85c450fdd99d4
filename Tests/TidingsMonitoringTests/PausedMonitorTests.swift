import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct PausedMonitorTests {
    private let center = NativeNotificationCenter()
    private let monitor = RecordingMonitor()

    @Test func `a paused monitor receives the end of a running call, and nothing that begins later`() async {
        let (begun, go) = (Gate(), Gate())
        let attachment = center.attach(monitor)
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in
            begun.open()
            await go.wait()
        }
        center.post(Numbered(number: 1))
        await begun.wait()
        attachment.pause()
        center.post(Ping())
        go.open()
        await eventually("the call is reported") { monitor.deliveries.count == 1 }
        center.addObserver(for: Ping.self) { _ in }.cancel()
        #expect(monitor.words == ["registered", "queued 1", "posted to 1", "delivered in a task"])
        attachment.resume()
        center.post(Ping())
        #expect(monitor.words.dropFirst(4) == ["posted to 0"])
        withExtendedLifetime(token) {}
    }

    @Test func `a detached monitor can't be paused, resumed or sampled`() {
        let monitoring = Monitoring()
        let attachment = MonitorAttachment(attached(), to: monitoring) { _ in }
        #expect(monitoring.isActive)
        attachment.detach()
        attachment.pause()
        attachment.resume()
        #expect(!monitoring.isActive)
        #expect(attachment.sample(every: 2, andCaused: 1) == 0)
    }

    private func attached() -> AttachedMonitor {
        AttachedMonitor(monitor, nil, samplingInterval: 1, WarningThresholds(), ContinuousClock())
    }

    @Test func `a monitor that is detached while it resumes stays detached`() {
        let attachments = Lock<[MonitorAttachment]>([])
        let isEnabled = Lock(false)
        let monitoring = Monitoring()
        // Enables the monitoring as a center does, but first detaches the monitor, as another thread could do.
        let attachment = MonitorAttachment(attached(), to: monitoring) { new in
            if new != nil { for attachment in attachments.withLock({ $0 }) { attachment.detach() } }
            isEnabled.withLock { $0 = new != nil }
        }
        #expect(isEnabled.withLock { $0 } && monitoring.isActive)
        attachment.pause()
        #expect(!isEnabled.withLock { $0 } && !monitoring.isActive)
        attachments.withLock { $0.append(attachment) }
        attachment.resume()
        #expect(!isEnabled.withLock { $0 } && !monitoring.isActive)
        attachments.withLock { $0.removeAll() }
    }
}
