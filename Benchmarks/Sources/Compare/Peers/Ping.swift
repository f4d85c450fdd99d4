import Tidings

/// The notification that is posted in every peer that posts values.
struct Ping: TypedNotification, SinkCarrier {
    let sink: Sink
}

struct Pong: TypedNotification, SinkCarrier {
    let sink: Sink
}
