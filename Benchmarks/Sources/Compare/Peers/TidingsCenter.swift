import Tidings

final class TidingsCenter: ClosureSignal, @unchecked Sendable {  // `tokens` is only used during setup
    private enum Notification { case ping, pong }

    var tokens: [NotificationToken] = []
    let center: NativeNotificationCenter
    private let notification: Notification

    init(center: NativeNotificationCenter = NativeNotificationCenter()) {
        self.center = center
        notification = .ping
    }

    private init(pongsIn center: NativeNotificationCenter) {
        self.center = center
        notification = .pong
    }

    func connect<Kind: HandlerKind>(_ kind: Kind.Type, _ index: Int) -> NotificationToken {
        switch notification {
        case .ping: center.addObserver(for: Ping.self) { $0.sink.add(Kind.weight(index)) }
        case .pong: center.addObserver(for: Pong.self) { $0.sink.add(Kind.weight(index)) }
        }
    }

    func connectIdle() -> NotificationToken {
        center.addObserver(for: Ping.self) { $0.sink.add(0) }
    }

    func disconnect(_ token: NotificationToken) { token.cancel() }

    func post(_ times: Int, to sink: Sink) {
        switch notification {
        case .ping: for _ in 0..<times { center.post(Ping(sink: sink)) }
        case .pong: for _ in 0..<times { center.post(Pong(sink: sink)) }
        }
    }

    func sibling() -> any Signal { TidingsCenter(pongsIn: center) }
}
