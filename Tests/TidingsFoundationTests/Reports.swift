import Foundation
import TidingsFoundation
import TidingsTesting

/// The reports that tests lead to. Tests run side by side, so each looks for the names of its own notifications.
enum Reports {
    /// The handler that was set before.
    static let original: @Sendable (NotificationReport) -> Void = {
        let original = NotificationReport.handler
        NotificationReport.handler = { report in received.append(report) }
        return original
    }()

    private static let received = ReceivedValues<NotificationReport>()

    /// What was reported about a notification since reports were first collected.
    static func of(_ name: String) -> [NotificationReport] {
        received.values.filter { $0.notification == name }
    }

    /// Begins to collect reports.
    static func collect() { _ = original }
}
