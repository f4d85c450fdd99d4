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
