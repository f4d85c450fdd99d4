import Tidings

/// Ours: one type of notification in a native center.
final class TidingsCenter: Signal, @unchecked Sendable {  // `tokens` is only touched while it is set up
    private enum Kind { case ping, pong }

    private let center: NativeNotificationCenter
    private let kind: Kind
    private var tokens: [NotificationToken] = []

    init(center: NativeNotificationCenter = NativeNotificationCenter()) {
        self.center = center
        kind = .ping
    }

    private init(pongsIn center: NativeNotificationCenter) {
        self.center = center
        kind = .pong
    }

    func reserve(_ count: Int) { tokens.reserveCapacity(count) }

    func add(_ index: Int) { tokens.append(connect(index)) }

    func addAndCancel(_ times: Int) {
        for _ in 0..<times { connect(Handler.idle).cancel() }
    }

    func post(_ times: Int, to sink: Sink) {
        switch kind {
        case .ping: for _ in 0..<times { center.post(Ping(sink: sink)) }
        case .pong: for _ in 0..<times { center.post(Pong(sink: sink)) }
        }
    }

    func sibling() -> any Signal { TidingsCenter(pongsIn: center) }

    private func connect(_ index: Int) -> NotificationToken {
        switch kind {
        case .ping: center.addObserver(for: Ping.self, using: Handler.make(index))
        case .pong: center.addObserver(for: Pong.self, using: Handler.make(index))
        }
    }
}
