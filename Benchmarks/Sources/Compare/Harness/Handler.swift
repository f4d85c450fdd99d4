/// Computes, from a handler's index, the number that the handler adds to a sink. Each of the eight kinds has its own
/// constant, so that the optimizer can't merge their code.
protocol HandlerKind: SendableMetatype {
    static func weight(_ index: Int) -> Int
}

protocol SinkCarrier {
    var sink: Sink { get }
}

enum Handler {
    enum Kind0: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 81 } }
    enum Kind1: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 82 } }
    enum Kind2: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 83 } }
    enum Kind3: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 84 } }
    enum Kind4: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 85 } }
    enum Kind5: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 86 } }
    enum Kind6: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 87 } }
    enum Kind7: HandlerKind { @inline(__always) static func weight(_ index: Int) -> Int { index ^ 88 } }

    /// The total that the handlers with the indices `0 ..< count` add to the sink in one post.
    static func total(_ count: Int) -> Int {
        (0..<count).reduce(0) { total, index in total &+ (index ^ (81 + index & 7)) }
    }
}
