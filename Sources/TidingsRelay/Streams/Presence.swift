/// Whether a program has told the server all the time that it is at work on what it was given: part of a state machine.
///
/// A process that is stopped, or whose machine sleeps, tells nothing and does not know it. When it goes on, others may have what it had
/// fetched, and have done what follows. What comes then may have waited in the connection for as long, and does not say so.
struct Presence: Sendable {
    /// How long the server waits for a sign; `nil` if it gives nothing to others.
    private let patience: Duration?
    private var lastSign = Duration.zero

    init(patience: Duration?) { self.patience = patience }

    /// Whether the server has waited in vain since the last sign.
    func isLost(at now: Duration) -> Bool { patience.map { lastSign + $0 < now } ?? false }

    /// Notes a sign, or a new connection, which has nothing old.
    mutating func note(at now: Duration) { lastSign = now }
}

extension PullReader {
    /// Tells the server that what was fetched is still here.
    mutating func keepAlive(at now: Duration) {
        if isLost(at: now) { return }
        presence.note(at: now)
        for delivery in fetched.deliveries { acknowledge(delivery, .inProgress) }
    }

    /// Whether others may have what was fetched. Then it lets go of all that was not begun, and of what the connection still has.
    mutating func isLost(at now: Duration) -> Bool {
        guard presence.isLost(at: now) else { return false }
        _ = fetched.removeUnbegun(keepingWaiting: false)
        if let link { actions.append(.close(link)) }
        link = nil
        goOn()
        return true
    }
}
