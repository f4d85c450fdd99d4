import Tidings

/// An observer in a race. Whoever ends it is the only one who does.
final class Entrant: Sendable {
    private let token: Lock<NotificationToken?>
    private let end: Referee.End
    /// Whether an owner holds its lifetime, so that letting go of the token does not end it.
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

    /// Notes that the observer has been ended.
    func noteEnd(by referee: Referee) { end.note(by: referee) }
}
