package import Tidings

/// Tokens that observers can access, kept until this object is released.
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
