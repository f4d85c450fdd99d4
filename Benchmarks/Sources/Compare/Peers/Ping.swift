import Tidings

struct Ping: TypedNotification, SinkCarrier {
    let sink: Sink
}

struct Pong: TypedNotification, SinkCarrier {
    let sink: Sink
}
