import Foundation

/// Foundation's notification center as it is used: a block, a name, and what happened in `userInfo`.
final class FoundationBlocks: Signal, @unchecked Sendable {  // `tokens` is only touched while it is set up
    private static let names = [Notification.Name("benchmark.ping"), Notification.Name("benchmark.pong")]

    private let center: NotificationCenter
    private let name: Notification.Name
    private var tokens: [any NSObjectProtocol] = []

    convenience init() { self.init(center: NotificationCenter(), name: Self.names[0]) }

    private init(center: NotificationCenter, name: Notification.Name) {
        self.center = center
        self.name = name
    }

    deinit {
        for token in tokens { center.removeObserver(token) }
    }

    func reserve(_ count: Int) { tokens.reserveCapacity(count) }

    func add(_ index: Int) { tokens.append(connect(index)) }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { center.removeObserver(connect(Handler.idle)) }
    }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { center.post(name: name, object: nil, userInfo: ["sink": sink.address]) }
    }

    func sibling() -> any Signal { FoundationBlocks(center: center, name: Self.names[1]) }

    private func connect(_ index: Int) -> any NSObjectProtocol {
        center.addObserver(forName: name, object: nil, queue: nil, using: Handler.make(index))
    }
}

extension Notification: SinkCarrier {
    var sink: Sink {
        guard let address = userInfo?["sink"] as? Int, let sink = Sink(address: address) else {
            preconditionFailure("a benchmark posts its sink")
        }
        return sink
    }
}
