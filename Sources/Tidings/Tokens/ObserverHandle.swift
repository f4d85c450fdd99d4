/// A registered observer, as the center sees it: something that can be cancelled and drained.
///
/// Only whoever writes a center meets this protocol. Users hold a ``NotificationToken``, which is made from it.
public protocol ObserverHandle: Sendable {
    /// The center with which the observer is registered, by identity; `nil` once that center is gone.
    var center: ObjectIdentifier? { get }

    /// Whether a post can still reach the observer: false once it was cancelled, or its owner, its sender or its center is
    /// gone.
    var isActive: Bool { get }

    /// Ends the observation. No post that begins after this has returned calls the observer. Calling it again does nothing.
    func cancel()

    /// Returns when no call of the observer is running anywhere; calls of other observers are not waited for.
    func drain() async

    /// Makes the token that holds the lifetime of the observation. There is a default.
    func token() -> NotificationToken
}
