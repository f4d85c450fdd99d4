public import Tidings

/// A notification that is held for an observer.
public struct QueuedDelivery: Sendable, Identifiable {
    /// Distinguishes it from the others of its recorder. Later posts have greater ones.
    public let id: Int

    let receiver: Receiver
    let notification: KeptNotification

    /// The type of the notification.
    public var type: any NotificationContent.Type { receiver.type }

    /// The notification as text.
    public var text: String { notification.text }

    /// Where the observer runs.
    public var delivery: DeliveryMode { receiver.registration.delivery }

    /// Where the observer was registered.
    public var place: SourcePlace { receiver.place }
}

extension QueuedDelivery: CustomStringConvertible {
    /// The notification and the observer.
    public var description: String { "\(text) for the observer \(delivery) that was registered at \(place)" }
}
