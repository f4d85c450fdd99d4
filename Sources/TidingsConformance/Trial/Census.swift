import Tidings

package final class Census: Sendable {
    private let count = Atomic(0)

    package init() {}

    package var alive: Int { count.load(ordering: .acquiring) }

    package func member() -> Member {
        count.wrappingAdd(1, ordering: .acquiringAndReleasing)
        return Member { self.count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
    }

    package typealias Member = LastAct

    func observe<N: TypedNotification>(_ type: N.Type, in center: any TypedNotificationCenter) -> NotificationToken {
        center.addObserver(for: type) { [member = self.member()] _ in member.touch() }
    }
}

package final class LastAct: Sendable {
    private let act: @Sendable () -> Void

    init(_ act: @escaping @Sendable () -> Void) { self.act = act }

    deinit { act() }

    package func touch() {}
}

final class Journal<Entry: Sendable>: Sendable {
    private let storage = Lock<[Entry]>([])

    var entries: [Entry] { storage.withLock { $0 } }
    var count: Int { storage.withLock { $0.count } }

    func note(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}

final class TokenBox: Sendable {
    private let tokens = Lock<[NotificationToken]>([])

    func put(_ token: NotificationToken) { tokens.withLock { $0.append(token) } }

    func cancel() {
        for token in tokens.withLock({ $0 }) { token.cancel() }
    }

    func drain() async {
        for token in tokens.withLock({ $0 }) { await token.cancelAndDrain() }
    }

    @discardableResult
    func takeAll() -> [NotificationToken] {
        tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }
}
