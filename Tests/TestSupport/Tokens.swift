package import Tidings

/// Keeps tokens until this object is released. Observers can access the tokens.
package final class Tokens: Sendable {
    private let storage = Lock<[NotificationToken]>([])

    package init() {}

    package var all: [NotificationToken] { storage.withLock { $0 } }

    package func append(_ token: NotificationToken) { storage.withLock { $0.append(token) } }

    package func cancel() {
        for token in all { token.cancel() }
    }

    package func cancelAndDrain() async {
        for token in all { await token.cancelAndDrain() }
    }
}
