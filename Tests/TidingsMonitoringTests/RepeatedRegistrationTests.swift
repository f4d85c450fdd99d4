import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Shown: TypedNotification, Sendable {}
private struct Changed: TypedNotification, Sendable { let sender: String }

private final class Screen: Sendable {
    func appear(on center: some TypedNotificationCenter) {
        center.addObserver(self, for: Shown.self) { _, _ in }
    }
}

@Suite struct RepeatedRegistrationTests {
    private let center = NativeNotificationCenter()
    private let monitor = RecordingMonitor()

    private func warnings() -> [ObserverDescription] {
        monitor.warnings.compactMap { if case .registeredAgain(let observer) = $0 { observer } else { nil } }
    }

    @Test func `a monitor is warned when an owner registers a second observer from the same line`() {
        let attachment = center.attach(monitor, interests: .warnings)
        let screen = Screen()
        for _ in 1...3 { screen.appear(on: center) }
        #expect(warnings().count == 2)
        #expect(warnings().first?.subject == NotificationSubject(Shown.self))
        #expect(monitor.warnings.first.map { "\($0)" }?.contains("unlessRegistered") == true)
        withExtendedLifetime((attachment, screen)) {}
    }

    @Test func `a registration with another owner or sender, or after a removal, causes no warning`() {
        let attachment = center.attach(monitor, interests: .warnings)
        let screens = [Screen(), Screen()]
        for screen in screens {
            screen.appear(on: center)
            for folder in ["a", "b"] { center.addObserver(screen, for: Changed.self, sender: folder) { _, _ in } }
            center.unlessRegistered.addObserver(screen, on: .main, for: Shown.self) { _, _ in }
        }
        for screen in screens {
            center.removeObservers(of: screen, for: Shown.self)
            screen.appear(on: center)
        }
        #expect(warnings().isEmpty)
        withExtendedLifetime((attachment, screens)) {}
    }

    #if DEBUG
        @Test func `a debug build prints one warning about repeated registrations at a line of code`() async throws {
            let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let center = NativeNotificationCenter()
                let screen = Screen()
                for _ in 1...5 { screen.appear(on: center) }
            }
            let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
            let written = lines.filter { $0.contains("registered a second observer from the same line") }
            #expect(written.count == 1)
            #expect(written.first?.contains("RepeatedRegistrationTests.swift:") == true)
        }
    #endif
}
