import Tidings

/// What a recorder knows about an observer.
final class Receiver: Sendable {
    /// The notification type; for what travels wrapped, what is in the wrapper.
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

    /// Whether the notifications end in a sequence, whose consumer nobody waits for.
    var isSequence: Bool { registration.delivery == .sequence }

    var place: SourcePlace { registration.place }
}
