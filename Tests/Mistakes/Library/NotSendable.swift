public import Tidings

/// A public notification that doesn't say that it is `Sendable`, so other modules can only observe it in the post.
public struct NotSendable: TypedNotification {
    /// A number.
    public let number: Int

    /// Creates a notification.
    public init(number: Int) { self.number = number }
}
