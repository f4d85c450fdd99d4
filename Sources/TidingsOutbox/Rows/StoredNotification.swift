/// A stored notification, with its metadata in the table.
///
/// After the commit, the outbox posts this value in the center, and then the notification itself. Durable observers
/// that are added with the parameter `forStored` receive this value instead of the notification.
public struct StoredNotification<N: RemoteNotification>: TypedNotification, Sendable, IdentifiedDelivery {
    /// The notification.
    public let notification: N

    /// The identity of the notification, which is the same for each delivery and in each program.
    public let id: String

    /// The name of the durable observer, or an empty string for observers of the center.
    public let observer: String

    /// The number of the delivery, starting at 1. A failure increases it, and redelivering a dead letter resets it to 1.
    public let attempt: Int

    /// Whether an earlier delivery may have had an effect, because a program crashed or the observer threw an error.
    public let mayBeRepeated: Bool

    package init(_ notification: N, id: String, observer: String = "", attempt: Int = 1, mayBeRepeated: Bool = false) {
        self.notification = notification
        self.id = id
        self.observer = observer
        self.attempt = attempt
        self.mayBeRepeated = mayBeRepeated
    }

    /// The word `outbox`, and the name of the durable observer.
    public var deliverySource: String { "outbox \(observer)" }

    /// The identity of the notification.
    public var deliveryID: String { id }
}
