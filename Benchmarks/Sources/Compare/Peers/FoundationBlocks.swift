import Foundation

final class FoundationBlocks: ClosureSignal, @unchecked Sendable {  // `tokens` is only used during setup
    private static let names = [Notification.Name("benchmark.ping"), Notification.Name("benchmark.pong")]

    var tokens: [any NSObjectProtocol] = []
    private let center: NotificationCenter
    private let name: Notification.Name

    convenience init() { self.init(center: NotificationCenter(), name: Self.names[0]) }

    private init(center: NotificationCenter, name: Notification.Name) {
        self.center = center
        self.name = name
    }

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> any NSObjectProtocol {
        center.addObserver(forName: name, object: nil, queue: nil) { $0.sink.add(Kind.weight(index)) }
    }

    func connectIdle() -> any NSObjectProtocol {
        center.addObserver(forName: name, object: nil, queue: nil) { $0.sink.add(0) }
    }

    func disconnect(_ token: any NSObjectProtocol) { center.removeObserver(token) }

    func post(_ times: Int, to sink: Sink) {
        for _ in 0..<times { center.post(name: name, object: nil, userInfo: ["sink": sink.address]) }
    }

    func sibling() -> any Signal { FoundationBlocks(center: center, name: Self.names[1]) }
}

extension Notification: SinkCarrier {
    var sink: Sink {
        guard let address = userInfo?["sink"] as? Int, let sink = Sink(address: address) else {
            preconditionFailure("each notification of the benchmark contains its sink")
        }
        return sink
    }
}
