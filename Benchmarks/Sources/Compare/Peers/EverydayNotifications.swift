import Tidings

final class Account: Party {
    var weight: Int { Handler.Kind0.weight(0) }
}

actor Vault {}

protocol Party: Sendable {}

// Each kind of sender has its own notification type, because the compiler chooses how to compare senders when it
// compiles the declaration of a notification type.

struct FromObject: TypedNotification, SinkCarrier {
    let sender: Account
    let sink: Sink
}

struct FromOptional: TypedNotification, SinkCarrier {
    let sender: Account?
    let sink: Sink
}

struct FromParty: TypedNotification, SinkCarrier {
    let sender: any Party
    let sink: Sink
}

struct FromActor: TypedNotification, SinkCarrier {
    let sender: Vault
    let sink: Sink
}

struct FromInteger: TypedNotification, SinkCarrier {
    let sender: Int
    let sink: Sink
}

struct FromString: TypedNotification, SinkCarrier {
    let sender: String
    let sink: Sink
}

struct OnMain: MainActorNotification, SinkCarrier {
    let sink: Sink
}

struct Replayed: TypedNotification, SinkCarrier {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sink: Sink
}

/// A type whose latest notification is stored by the center. The reference to the sender is weak, so that the stored
/// notification doesn't keep the sender alive.
struct ReplayedFromObject: TypedNotification, SinkCarrier {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak let sender: Account?
    let sink: Sink
}
