import Tidings

/// An observer in a race. Only one thread ends the observer.
final class Entrant: Sendable {
    private let token: Lock<NotificationToken?>
    private let end: Referee.End
    /// Whether an owner determines the observer's lifetime, so that releasing the token doesn't end the observer.
    let isOwned: Bool

    init(_ token: NotificationToken, end: Referee.End, isOwned: Bool = false) {
        self.token = Lock(token)
        self.end = end
        self.isOwned = isOwned
    }

    func cancel() { token.withLock { $0 }?.cancel() }

    func remove(from center: NativeNotificationCenter) {
        if let token = token.withLock({ $0 }) { center.removeObserver(token) }
    }

    func letGo() { _ = token.withLock { $0.take() } }

    func noteEnd(by referee: Referee) { end.note(by: referee) }
}
