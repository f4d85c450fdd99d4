public import Foundation

/// Says why a payload could not be turned into a Foundation notification.
public struct NotificationEncodingError: Error, Hashable, Sendable {
    /// The name of the notification.
    public var notification: String

    /// Why there is no notification, in words.
    public var reason: String

    /// Describes what could not be encoded.
    ///
    /// - Parameters:
    ///   - notification: The name of the notification.
    ///   - reason: Why there is no notification, in words.
    public init(notification: Notification.Name, reason: String) {
        self.notification = notification.rawValue
        self.reason = reason
    }
}

extension NotificationEncodingError: CustomStringConvertible {
    /// The error in one sentence.
    public var description: String { "\(notification): cannot be posted: \(reason)" }
}
