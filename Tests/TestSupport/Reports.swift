public import TidingsFoundation
import TidingsTesting

/// Collects the reports that tests cause. Tests run in parallel, so each test reads only reports about its
/// notifications.
public enum Reports {
    /// The handler that was set before reports were collected.
    public static let original: @Sendable (NotificationReport) -> Void = {
        let original = NotificationReport.handler
        NotificationReport.handler = { report in received.append(report) }
        return original
    }()

    private static let received = ReceivedValues<NotificationReport>()

    /// The reports about a notification since reports were first collected.
    public static func of(_ name: String) -> [NotificationReport] {
        received.values.filter { $0.notification == name }
    }

    /// Starts collecting reports.
    public static func collect() { _ = original }
}
