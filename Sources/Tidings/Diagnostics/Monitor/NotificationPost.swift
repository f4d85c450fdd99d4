/// A post that was made.
public struct NotificationPost: Sendable {
    /// What was posted.
    public let subject: NotificationSubject

    /// Where the source posts it; `nil` for a classic post on Foundation's center, which a descriptor makes too, and for a
    /// message of a bus.
    public let place: SourcePlace?

    /// How many observers were called, or had the notification put into their queue.
    public let observers: Int

    /// How long the post took, with the calls that were made in it.
    public let duration: Duration

    package init(subject: NotificationSubject, place: SourcePlace?, observers: Int, duration: Duration) {
        self.subject = subject
        self.place = place
        self.observers = observers
        self.duration = duration
    }
}
