/// Whether a program has continuously reported to the server that it is handling its messages: part of a state machine.
///
/// A process that is stopped, or whose machine sleeps, reports nothing and doesn't notice. When it continues, other
/// programs may have received and handled the messages that it had fetched. Messages that arrive then may have waited
/// in the connection for the same time, without any indication.
struct Presence: Sendable {
    /// The time for which the server waits for a report, or `nil` if it doesn't redeliver to others.
    private let patience: Duration?
    private var lastSign = Duration.zero

    init(patience: Duration?) { self.patience = patience }

    /// Whether the server's time limit has passed since the last report.
    func isLost(at now: Duration) -> Bool { patience.map { lastSign + $0 < now } ?? false }

    /// Records a report, or a new connection, which contains no old messages.
    mutating func note(at now: Duration) { lastSign = now }
}

extension PullReader {
    /// Extends the leases of the fetched messages at the server.
    mutating func keepAlive(at now: Duration) {
        if isLost(at: now) { return }
        presence.note(at: now)
        for delivery in fetched.deliveries { acknowledge(delivery, .inProgress) }
    }

    /// Whether others may have received the fetched messages. In that case it drops all messages that weren't handed
    /// out, and those that are still in the connection.
    mutating func isLost(at now: Duration) -> Bool {
        guard presence.isLost(at: now) else { return false }
        _ = fetched.removeUnbegun(keepingWaiting: false)
        if let link { actions.append(.close(link)) }
        link = nil
        goOn()
        return true
    }
}
