import Tidings

/// The value that Tidings and most of the other measured libraries post.
struct Ping: TypedNotification, SinkCarrier {
    let sink: Sink
}

struct Pong: TypedNotification, SinkCarrier {
    let sink: Sink
}
