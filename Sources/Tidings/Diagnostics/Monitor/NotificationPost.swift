/// A post that was made.
public struct NotificationPost: Sendable {
    /// What was posted.
    public let subject: NotificationSubject

    /// How many observers were called, or had the notification put into their queue.
    public let observers: Int

    /// How long the post took, with the calls that were made in it.
    public let duration: Duration
}
