/// A call of an observer that was made.
public struct NotificationDelivery: Sendable {
    /// The observer.
    public let observer: ObserverDescription

    /// How long the notification waited in the observer's queue; `nil` if the observer runs in the post.
    public let waited: Duration?

    /// How long the call took; `nil` for a sequence, whose consumer says nothing.
    public let duration: Duration?

    /// How many notifications still wait for the observer.
    public let waiting: Int

    /// Whether the call is known to have been made on the main actor.
    ///
    /// It is known of observers on the main actor, of main-actor notifications, and of observers in a task whose closure
    /// belongs to the main actor; not of plain observers that a post on the main actor calls, nor of queues.
    public let isOnMainActor: Bool
}
