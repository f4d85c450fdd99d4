public import Tidings

/// An observer that is registered with a recorder.
public struct RecordedObserver: Sendable {
    private let receiver: Receiver

    init(_ receiver: Receiver) { self.receiver = receiver }

    /// The type of the notifications.
    public var type: any NotificationContent.Type { receiver.type }

    /// Where and when the observer runs.
    public var delivery: DeliveryMode { receiver.registration.delivery }

    /// Where it was registered.
    public var place: SourcePlace { receiver.place }
}

extension RecordedObserver: CustomStringConvertible {
    /// The type, the delivery, and the place.
    public var description: String { "\(TypeName.of(type)), \(delivery), registered at \(place)" }
}

/// What a recorder knows about an observer.
final class Receiver: Sendable {
    /// The notification type, without the wrapper in which a main-actor notification travels.
    let type: any NotificationContent.Type
    let registration: ObserverRegistration

    init<N: TypedNotification>(_ type: N.Type, registration: ObserverRegistration) {
        self.type = (type as? any MainActorWrapper.Type)?.contentType ?? type
        self.registration = registration
    }

    /// Whether the observer runs after the post.
    var isAsynchronous: Bool {
        registration.delivery != .inPost && registration.delivery != .inPostOnMainActor
    }

    /// Whether the notifications end in a sequence. When its consumer has finished with one is not known.
    var isSequence: Bool { registration.delivery == .sequence }

    var place: SourcePlace { registration.place }
}
