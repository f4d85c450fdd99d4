import Tidings

final class Thing: Sendable {}

/// Is neither an object nor `Hashable`.
struct Incomparable: Sendable {}

struct Plain: TypedNotification, Sendable { var number = 0 }

struct FromThing: TypedNotification, Sendable { let sender: Thing }

struct FromNumber: TypedNotification, Sendable { let sender: Int }

/// The type of the sender is only known at run time.
struct FromAny: TypedNotification, Sendable { let sender: any Sendable }

struct State: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
}

struct StateOfThing: TypedNotification, Sendable {
    static let replay = NotificationReplay.latest(
        keeping: { (note: StateOfThing) in note.number }, making: { StateOfThing(sender: $0, number: $1) })
    let sender: Thing
    var number = 0
}

struct StateOfNumber: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: Double
}

actor Consumer: MessageConsumer {
    func consume(_ message: Int) {}
}

/// Each call waits until `go` is finished.
final class WaitingConsumer: MessageConsumer {
    let (calls, call) = AsyncStream.makeStream(of: Void.self)
    let (stream, go) = AsyncStream.makeStream(of: Void.self)

    func consume(_ message: Int) async {
        call.finish()
        for await _ in stream {}
    }
}

struct Leaf: TypedNotification {}
struct Kind<First: TypedNotification, Second: TypedNotification>: TypedNotification {}

struct Types {
    var left: Int
    let act: (any TypedNotification.Type) -> Void

    mutating func visit<N: TypedNotification>(_ type: N.Type, depth: Int) {
        if left == 0 { return }
        left -= 1
        act(type)
        if depth == 0 { return }
        visit(Kind<Leaf, N>.self, depth: depth - 1)
        visit(Kind<N, Leaf>.self, depth: depth - 1)
    }
}

struct Refusal: Error {}

struct Deaf: NotificationMonitor {
    func receive(_ event: NotificationEvent) {}
}
