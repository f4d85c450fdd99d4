import Tidings

/// What is posted, in every peer that posts values.
struct Ping: TypedNotification, SinkCarrier {
    let sink: Sink
}

/// The same, of another type.
struct Pong: TypedNotification, SinkCarrier {
    let sink: Sink
}
