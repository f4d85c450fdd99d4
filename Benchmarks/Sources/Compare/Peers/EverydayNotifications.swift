import Tidings

/// An object that notifications are about, and that owns observers.
final class Account: Party {
    /// What an observer of the object's counts: as much as any other.
    var weight: Int { Handler.Kind0.weight(0) }
}

/// An actor that notifications are about.
actor Vault {}

/// What may be the sender of a notification, whether it is an object or not.
protocol Party: Sendable {}

// A type for each kind of sender, as the compiler chooses how senders are compared where a notification type is declared.

/// A notification about an object.
struct FromObject: TypedNotification, SinkCarrier {
    let sender: Account
    let sink: Sink
}

/// A notification about an object, or about none.
struct FromOptional: TypedNotification, SinkCarrier {
    let sender: Account?
    let sink: Sink
}

/// A notification about whatever conforms to a protocol.
struct FromParty: TypedNotification, SinkCarrier {
    let sender: any Party
    let sink: Sink
}

/// A notification about an actor.
struct FromActor: TypedNotification, SinkCarrier {
    let sender: Vault
    let sink: Sink
}

/// A notification about an integer.
struct FromInteger: TypedNotification, SinkCarrier {
    let sender: Int
    let sink: Sink
}

/// A notification about a string.
struct FromString: TypedNotification, SinkCarrier {
    let sender: String
    let sink: Sink
}

/// A notification that belongs to the main actor.
struct OnMain: MainActorNotification, SinkCarrier {
    let sink: Sink
}

/// A notification whose latest one is handed to observers that come late.
struct Replayed: TypedNotification, SinkCarrier {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sink: Sink
}

/// The same, about an object. What is kept of it leads to the object weakly, so that it is not kept alive.
struct ReplayedFromObject: TypedNotification, SinkCarrier {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak let sender: Account?
    let sink: Sink
}
