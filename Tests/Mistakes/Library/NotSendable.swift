public import Tidings

/// A public notification that isn't declared `Sendable`, so other modules can only observe it in the post.
public struct NotSendable: TypedNotification {
    /// A number.
    public let number: Int

    /// Creates a notification.
    public init(number: Int) { self.number = number }
}
