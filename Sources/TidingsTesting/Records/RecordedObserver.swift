public import Tidings

/// A registered observer of a recorder.
public struct RecordedObserver: CustomStringConvertible, Sendable {
    let receiver: Receiver

    /// The type of the notifications.
    public var type: any NotificationContent.Type { receiver.type }

    /// The delivery mode of the observer.
    public var delivery: DeliveryMode { receiver.registration.delivery }

    /// The line of source that registered the observer.
    public var place: SourcePlace { receiver.place }

    /// The type, the delivery mode and the place.
    public var description: String { "\(shownName(of: type)), \(delivery), registered at \(place)" }
}

final class Receiver: Sendable {
    /// The type of the notification. For a main-actor notification, this isn't the type of its wrapper.
    let type: any NotificationContent.Type
    let registration: ObserverRegistration

    init<N: TypedNotification>(_ type: N.Type, registration: ObserverRegistration) {
        self.type = (type as? any BelongsToMainActor.Type)?.content ?? type
        self.registration = registration
    }

    var place: SourcePlace { registration.place }
}
