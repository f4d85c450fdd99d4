import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct Ping: TypedNotification {
    static let name = "FoundationMonitorTests.ping"
}
private struct Tagged: TypedNotification {
    static let name = "FoundationMonitorTests.tagged"
    let sender: String
}
private struct Shown: MainActorNotification {
    static let name = "FoundationMonitorTests.shown"
}
private struct Hidden: MainActorNotification {
    static let name = "FoundationMonitorTests.shown"
}

@Suite(.timeLimit(.minutes(2))) struct FoundationMonitorTests {
    private let center = NotificationCenter()
    private let monitor = RecordingMonitor()

    @Test
    func `a monitor of Foundation's center also receives events of observers that were added before the monitor`() {
        let before = center.addObserver(descriptor: PayloadDescriptor<Int>(name: Notification.Name("count"))) { _ in }
        let attachment = center.attach(monitor)
        let after = center.addObserver(for: Ping.self) { _ in }
        center.post(Ping())
        #expect(monitor.words == ["registered", "delivered in the post", "posted to 1"])
        #expect(monitor.deliveries.first?.observer.subject.type == Ping.self)
        #expect(monitor.posts.first?.subject.name == Ping.name)
        before.cancel()
        after.cancel()
        #expect(monitor.words.dropFirst(3) == ["ended", "ended"])
        center.post(Ping())
        #expect(monitor.events.count == 5)
        attachment.detach()
    }

    @Test func `a monitor receives the decoding errors of its own center only, and none after it is detached`() {
        Reports.collect()
        let other = RecordingMonitor()
        let attachments = (center.attach(monitor), NotificationCenter().attach(other))
        let token = center.addObserver(for: Ping.self) { _ in }
        center.post(name: Notification.Name(Ping.name), object: nil)
        #expect(monitor.failures.map(\.kind) == ["could not be decoded"])
        #expect(monitor.failures.first?.notification == Ping.name)
        #expect(monitor.failures.first?.error is NotificationDecodingError)
        let description = monitor.failures.first?.description
        #expect(
            description?.hasPrefix("FoundationMonitorTests.ping: posted without a typed value: expected Ping") == true)
        #expect(other.events.count == 0)
        attachments.0.detach()
        center.post(name: Notification.Name(Ping.name), object: nil)
        #expect(monitor.failures.count == 1)
        withExtendedLifetime((attachments, token)) {}
    }

    @Test func `each event of an observer that is limited to a value states that it is limited to a sender`() {
        let attachment = center.attach(monitor)
        let token = center.addObserver(for: Tagged.self, sender: "a") { _ in }
        for sender in ["a", "b"] { center.post(Tagged(sender: sender)) }
        token.cancel()
        let observers = monitor.events.values.compactMap { event -> ObserverDescription? in
            switch event {
            case .registered(let observer), .ended(let observer, _): observer
            case .delivered(let delivery): delivery.observer
            default: nil
            }
        }
        #expect(observers.map(\.isLimitedToSender) == [true, true, true])
        #expect(observers.map(\.comparesSenders) == [true, true, true])
        attachment.detach()
    }

    @MainActor
    @Test func `promise 9, bad input: errors, reports and events name the main-actor type, not an internal wrapper`() {
        Reports.collect()
        let attachment = center.attach(monitor)
        let token = center.addObserver(for: Shown.self) { _ in }
        center.post(name: Notification.Name(Shown.name), object: nil)
        center.post(Hidden())
        center.post(Shown())
        token.cancel()
        let errors = Reports.of(Shown.name).compactMap(\.error)
        #expect(errors.map(\.expected) == ["Shown", "Shown"])
        #expect(errors.map(\.found) == [nil, "Hidden"])
        let texts =
            Reports.of(Shown.name).map(\.description) + monitor.failures.map { "\($0)" }
            + monitor.events.values.map { "\($0)" }
        #expect(texts.filter { $0.contains("OnMainActor<") } == [])
        let names = monitor.deliveries.map(\.observer.subject.name)
        #expect(!names.isEmpty && names.allSatisfy { $0.hasSuffix(".Shown") })
        withExtendedLifetime(attachment) {}
    }

    @Test func `a monitor can be attached to a center without observers, and is released with its attachment`() {
        weak var weakMonitor: RecordingMonitor?
        do {
            let monitor = RecordingMonitor()
            weakMonitor = monitor
            let attachment = center.attach(monitor)
            let token = center.addObserver(for: Ping.self) { _ in }
            #expect(monitor.words == ["registered"])
            withExtendedLifetime((attachment, token)) {}
        }
        #expect(weakMonitor == nil)
    }

    @Test func `a monitor's timer that has ended restarts for a slow call on Foundation's center`() async {
        let (clock, begun, stop) = (ManualClock(), Gate(), Gate())
        let monitor = RecordingMonitor(keepsWhatTakesLong: true)
        let attachment = center.attach(monitor, interests: .warnings, clock: clock)
        let quick = center.addObserver(for: Ping.self) { _ in }
        center.post(Ping())
        await clock.waitForSleepers()
        await clock.advance("the timer has ended", by: .seconds(5), { clock.sleepers }, until: { $0 == 0 })
        let slow = center.addObserver(for: Ping.self) { _ in
            begun.open()
            stop.wait(patience: .seconds(300))
        }
        async let posting: Void = onOwnThread { [center] in center.post(Ping()) }
        await begun.wait()
        await eventually("a task sleeps", { clock.sleepers }, until: { $0 == 1 })
        for _ in 1...5 {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(2500))
        }
        await eventually("a warning", { monitor.warnings.count }, until: { $0 == 1 })
        #expect(center.nativeCenters.contains { $0.hasPosts || !$0.callsUnderWay.isEmpty })
        stop.open()
        await posting
        withExtendedLifetime((attachment, quick, slow)) {}
    }
}
