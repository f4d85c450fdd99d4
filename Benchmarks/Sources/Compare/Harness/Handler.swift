/// What handlers are called with, in every peer.
protocol SinkCarrier: SendableMetatype {
    var sink: Sink { get }
}

/// The handlers that observers are made of, by number.
///
/// There are eight kinds of code with a constant of their own, so that the optimiser cannot merge them, and each captures
/// its number, as a handler of a program captures what it works on.
enum Handler {
    /// The number of a handler that counts nothing, though the optimiser cannot know.
    static let idle = -1

    /// Makes a handler.
    @inline(__always)
    static func make<Value: SinkCarrier>(_ index: Int) -> @Sendable (Value) -> Void {
        if index == idle { return { $0.sink.add(index &+ 1) } }
        return switch index & 7 {
        case 0: { $0.sink.add(index ^ 81) }
        case 1: { $0.sink.add(index ^ 82) }
        case 2: { $0.sink.add(index ^ 83) }
        case 3: { $0.sink.add(index ^ 84) }
        case 4: { $0.sink.add(index ^ 85) }
        case 5: { $0.sink.add(index ^ 86) }
        case 6: { $0.sink.add(index ^ 87) }
        default: { $0.sink.add(index ^ 88) }
        }
    }

    /// What the handlers `0 ..< count` count in one post.
    static func total(_ count: Int) -> Int {
        (0..<count).reduce(0) { total, index in total &+ (index ^ (81 + index & 7)) }
    }
}
