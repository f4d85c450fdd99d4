import Tidings

/// Counts objects that are alive, to see what a center retains and when it lets go.
package final class Census: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// How many objects of this census are alive.
    package var alive: Int { count.load(ordering: .acquiring) }

    /// Makes an object that is counted until it is deinitialised.
    package func member() -> Member { Member(of: self) }

    /// An object that is counted for as long as it is alive.
    package final class Member: Sendable {
        private let census: Census

        fileprivate init(of census: Census) {
            self.census = census
            census.count.wrappingAdd(1, ordering: .acquiringAndReleasing)
        }

        deinit { census.count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

        /// Uses the object, so that a closure that calls this captures it.
        package func touch() {}
    }
}

/// What observers saw, in the order in which they saw it.
final class Journal<Entry: Sendable>: Sendable {
    private let storage = Lock<[Entry]>([])

    var entries: [Entry] { storage.withLock { $0 } }
    var count: Int { storage.withLock { $0.count } }

    func note(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}

/// A place for tokens that observers can reach.
final class TokenBox: Sendable {
    private let tokens = Lock<[NotificationToken]>([])

    func put(_ token: NotificationToken) { tokens.withLock { $0.append(token) } }

    /// Cancels the tokens, and keeps them.
    func cancel() {
        for token in tokens.withLock({ $0 }) { token.cancel() }
    }

    /// Cancels the tokens that are active, and lets all go.
    func cancelActive() {
        let tokens = tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
        for token in tokens where token.isActive { token.cancel() }
    }

    /// Cancels the tokens, and returns when no call of their observers is running.
    func drain() async {
        for token in tokens.withLock({ $0 }) { await token.cancelAndDrain() }
    }

    /// Lets the tokens go.
    func empty() {
        _ = tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }
}

/// Does something when it is deinitialised.
final class LastAct: Sendable {
    private let act: @Sendable () -> Void

    init(_ act: @escaping @Sendable () -> Void) { self.act = act }

    deinit { act() }

    func touch() {}
}
