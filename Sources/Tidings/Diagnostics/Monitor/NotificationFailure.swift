/// A notification that could not be translated from or to an untyped one, or came from the wrong side.
public struct NotificationFailure: Sendable {
    /// The name of the notification.
    public let notification: String

    /// What happened, in a few words that are the same for every failure of the kind: "could not be decoded".
    public let kind: String

    /// The failure in one sentence.
    public let description: String

    /// The error, if there is one.
    public let error: (any Error)?

    package init(notification: String, kind: String, description: String, error: (any Error)?) {
        self.notification = notification
        self.kind = kind
        self.description = description
        self.error = error
    }
}

extension NotificationFailure: CustomStringConvertible {}
