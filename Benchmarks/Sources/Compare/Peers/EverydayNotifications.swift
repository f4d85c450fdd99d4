import Tidings

/// An object that is the sender of notifications and the owner of observers.
final class Account: Party {
    /// The weight that an observer of the object counts. It is the same for all handlers.
    var weight: Int { Handler.Kind0.weight(0) }
}

/// An actor that is the sender of notifications.
actor Vault {}

/// A possible sender of a notification, whether it is an object or not.
protocol Party: Sendable {}

// There is a type for each kind of sender, because the compiler chooses the comparison of senders where a notification
// type is declared.

/// A notification with an object as its sender.
struct FromObject: TypedNotification, SinkCarrier {
    let sender: Account
    let sink: Sink
}

/// A notification with an optional object as its sender.
struct FromOptional: TypedNotification, SinkCarrier {
    let sender: Account?
    let sink: Sink
}

/// A notification whose sender conforms to a protocol.
struct FromParty: TypedNotification, SinkCarrier {
    let sender: any Party
    let sink: Sink
}

/// A notification with an actor as its sender.
struct FromActor: TypedNotification, SinkCarrier {
    let sender: Vault
    let sink: Sink
}

/// A notification with an integer as its sender.
struct FromInteger: TypedNotification, SinkCarrier {
    let sender: Int
    let sink: Sink
}

/// A notification with a string as its sender.
struct FromString: TypedNotification, SinkCarrier {
    let sender: String
    let sink: Sink
}

/// A main-actor notification.
struct OnMain: MainActorNotification, SinkCarrier {
    let sink: Sink
}

/// A notification that late observers receive.
struct Replayed: TypedNotification, SinkCarrier {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sink: Sink
}

/// A notification that late observers receive, with an object as its sender. The stored notification refers to the
/// object weakly, so that it doesn't keep the object alive.
struct ReplayedFromObject: TypedNotification, SinkCarrier {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak let sender: Account?
    let sink: Sink
}
