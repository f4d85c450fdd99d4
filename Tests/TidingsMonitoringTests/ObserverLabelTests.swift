import TestSupport
import Testing
import Tidings

private struct Hidden: TypedNotification {}

private final class Mailer: Sendable {}
private final class Printer: Sendable {}

@Suite(.timeLimit(.minutes(2))) struct ObserverLabelTests {
    private let center = NativeNotificationCenter()

    private var labels: [String] { center.observations.map(\.observer.label) }

    @Test func `an observer's label is its owner's type or its file, and doesn't contain its group`() {
        let attachment = center.attach(RecordingMonitor())
        let (mailer, group) = (Mailer(), ObserverGroup("mail"))
        let tokens = [
            center.addObserver(for: Numbered.self) { _ in },
            center.addObserver(mailer, for: Numbered.self) { _, _ in },
            center.addObserver(mailer, for: Numbered.self) { _, _ in },
        ]
        #expect(
            labels == [
                "TidingsMonitoringTests/ObserverLabelTests.swift", "TidingsMonitoringTests.Mailer",
                "TidingsMonitoringTests.Mailer",
            ])
        tokens[0].store(in: group)
        tokens[2].store(in: group)
        #expect(
            labels == [
                "TidingsMonitoringTests/ObserverLabelTests.swift", "TidingsMonitoringTests.Mailer",
                "TidingsMonitoringTests.Mailer",
            ])
        #expect(center.observations.map(\.observer.group) == ["mail", nil, "mail"])
        withExtendedLifetime((attachment, mailer, tokens)) {}
    }

    @Test
    func `with a monitor attached, all observers that one source line registers share the label of the first one`() {
        let owners: [any AnyObject & Sendable] = [Mailer(), Printer()]
        func observe(_ owner: some AnyObject & Sendable) { center.addObserver(owner, for: Numbered.self) { _, _ in } }
        for owner in owners { observe(owner) }
        #expect(labels == Array(repeating: "TidingsMonitoringTests/ObserverLabelTests.swift", count: 2))
        let attachment = center.attach(RecordingMonitor())
        #expect(labels == Array(repeating: "TidingsMonitoringTests.Mailer", count: 2))
        withExtendedLifetime((attachment, owners)) {}
    }

    @Test func `the label of a private type contains no address, and the label of a named notification is its name`() {
        #expect(NotificationSubject(Hidden.self).label == "TidingsMonitoringTests.Hidden")
        #expect(NotificationSubject(Hidden.self).name != "TidingsMonitoringTests.Hidden")
        #expect(NotificationSubject(named: "a.b").label == "a.b")
    }
}
