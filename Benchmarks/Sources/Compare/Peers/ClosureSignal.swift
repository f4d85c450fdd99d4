/// A peer whose handlers are closures. Each handler is passed as a closure literal, as in real programs. If a closure
/// came from a variable, a generic library would wrap it in a second closure.
protocol ClosureSignal: Signal {
    associatedtype Token

    /// The tokens keep the added observers alive. They are only used while a workload is set up.
    var tokens: [Token] { get set }

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> Token

    /// Adds a handler that captures nothing and counts nothing.
    func connectIdle() -> Token

    func disconnect(_ token: Token)
}

extension ClosureSignal {
    func reserve(_ count: Int) { tokens.reserveCapacity(count) }

    func add(handlers count: Int) {
        for index in 0..<count { tokens.append(connect(index)) }
    }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { disconnect(connectIdle()) }
    }

    func connect(_ index: Int) -> Token {
        switch index & 7 {
        case 0: connect(Handler.Kind0.self, index)
        case 1: connect(Handler.Kind1.self, index)
        case 2: connect(Handler.Kind2.self, index)
        case 3: connect(Handler.Kind3.self, index)
        case 4: connect(Handler.Kind4.self, index)
        case 5: connect(Handler.Kind5.self, index)
        case 6: connect(Handler.Kind6.self, index)
        default: connect(Handler.Kind7.self, index)
        }
    }
}
