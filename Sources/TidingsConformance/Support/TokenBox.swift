import Tidings

/// A place for tokens that observers can reach.
final class TokenBox: Sendable {
    private let tokens = Lock<[NotificationToken]>([])

    func put(_ token: NotificationToken) { tokens.withLock { $0.append(token) } }

    /// Cancels the tokens, and keeps them.
    func cancel() {
        for token in tokens.withLock({ $0 }) { token.cancel() }
    }

    /// Cancels the tokens, and waits until no call of theirs is running.
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
