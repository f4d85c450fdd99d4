/// A period in which a relay sends rows of an outbox's table to a stream: from claiming the table to releasing it.
final class TableRun: Sendable {
    private enum Phase { case sending, stopping, released }

    private struct State {
        var phase = Phase.sending
        var sender: (any TableSender)?
        var didSend = false
    }

    let stream: String
    /// A gate that is open while the relay is connected, and after this run has ended. While the gate is closed, rows
    /// stay in the table.
    private let gate = Flag()
    private let state = Lock(State())

    init(to stream: String) { self.stream = stream }

    var sender: (any TableSender)? {
        get { state.withLock { $0.sender } }
        set { state.withLock { $0.sender = newValue } }
    }

    var isActive: Bool { state.withLock { $0.phase == .sending } }

    /// Whether the table was released. Another program may then send the rows that this program has taken.
    var isReleased: Bool { state.withLock { $0.phase == .released } }

    func waitForConnection() async { await gate.wait() }

    func setConnected(_ isConnected: Bool) {
        // The lock keeps the gate from closing just after `end` has opened it, because nothing would open it again.
        state.withLock { state in
            if isConnected { gate.set() } else if state.phase == .sending { gate.clear() }
        }
    }

    /// Takes no more rows from the table. Rows that were taken are still sent.
    func stop() { end(.stopping)?.stop() }

    func release() {
        let isRunningHere = sender?.isRunningHere == true
        state.withLock { $0.didSend = isRunningHere }
        end(.released)?.stop()
    }

    private func end(_ phase: Phase) -> (any TableSender)? {
        state.withLock { state in
            if state.phase != .released { state.phase = phase }
            gate.set()
            return state.sender
        }
    }

    func waitForEnd() async { await sender?.waitForEnd() }

    /// The number of positions in the table after the last sent row, or 0 if another program sends.
    var backlog: Int {
        let (sender, didSend) = state.withLock { ($0.sender, $0.didSend) }
        guard let sender, sender.isRunningHere || didSend else { return 0 }
        return sender.backlog
    }
}
