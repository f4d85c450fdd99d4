import Foundation

// What the asynchronous deliveries of descriptors are made of: a payload as a typed notification, and a center that has no other.

/// A payload that a descriptor found, as a typed notification.
struct Described<D: NotificationDescriptor>: TypedNotification, Sendable where D.Payload: Sendable {
    let payload: D.Payload

    /// A condition of payloads as one of notifications.
    static func condition(_ condition: (@Sendable (D.Payload) -> Bool)?) -> (@Sendable (Self) -> Bool)? {
        guard let condition else { return nil }
        return { note in condition(note.payload) }
    }
}

/// Foundation's center as a center of the payloads that one descriptor finds. It has observers only: nothing is posted on it.
struct DescribedCenter<D: NotificationDescriptor>: TypedNotificationCenter where D.Payload: Sendable {
    private let center: NotificationCenter
    private let descriptor: D
    private let object: SenderFilter<Any?>

    init(_ center: NotificationCenter, _ descriptor: D, _ object: (any Sendable)?) {
        self.center = center
        self.descriptor = descriptor
        self.object = SenderFilter(object: object)
    }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        preconditionFailure("payloads are posted on Foundation's center")
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        center.observe(descriptor, object, registration) { payload in
            // The deliveries above observe nothing else.
            if let note = Described<D>(payload: payload) as? N { observer(note) }
        }
    }
}
