public import Tidings

/// A public notification that doesn't say that it is `Sendable`, so other modules can't observe it elsewhere than in the post.
public struct NotSendable: TypedNotification {
    /// A number.
    public let number: Int

    /// Makes a notification.
    public init(number: Int) { self.number = number }
}
