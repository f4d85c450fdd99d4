import Tidings

final class Account: Party {
    var weight: Int { Handler.Kind0.weight(0) }
}

actor Vault {}

protocol Party: Sendable {}

// There is a type for each kind of sender, because the compiler chooses the comparison of senders where a notification
// type is declared.

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

/// The stored notification refers to its sender weakly, so that it doesn't keep the sender alive.
struct ReplayedFromObject: TypedNotification, SinkCarrier {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak let sender: Account?
    let sink: Sink
}
