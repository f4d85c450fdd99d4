import Tidings
import TidingsWire

/// One time that a relay has rows of a table sent to a stream: from taking the table's observer until letting go of it.
final class TableRun: Sendable {
    private enum Phase { case sending, stopping, released }

    private struct State {
        var phase = Phase.sending
        var sender: (any TableSender)?
        /// Whether this program was the one that sends when it let go.
        var didSend = false
    }

    let stream: String
    let name: String
    /// It is open while there is a connection: what cannot be sent stays in the table.
    private let gate = Flag()
    private let state = Lock(State())

    /// - Parameters:
    ///   - stream: The stream.
    ///   - name: Under which name the table knows how far it has come.
    init(to stream: String, as name: String) {
        self.stream = stream
        self.name = name
    }

    var sender: (any TableSender)? {
        get { state.withLock { $0.sender } }
        set { state.withLock { $0.sender = newValue } }
    }

    /// Whether it goes on.
    var isActive: Bool { state.withLock { $0.phase == .sending } }

    /// Whether another program may be sending by now, so that nothing more may be sent here, also of what was taken.
    var isReleased: Bool { state.withLock { $0.phase == .released } }

    /// Returns when there is a connection, or it has ended.
    func waitForConnection() async { await gate.wait() }

    func setConnected(_ isConnected: Bool) {
        // Under the lock, so that none that has ended is closed again: who waits there would do so for ever.
        state.withLock { state in
            if isConnected { gate.set() } else if state.phase == .sending { gate.clear() }
        }
    }

    /// Takes nothing more from the table. What was taken is sent.
    func stop() { end(.stopping)?.stop() }

    /// Takes nothing more from the table, and sends nothing more.
    func release() {
        let isRunningHere = sender?.status.isRunningHere == true
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

    /// Returns when what was taken is settled, and the table is let go of.
    func waitForEnd() async { await sender?.waitForEnd() }

    /// How far the stream has what the table has.
    var status: RelayStatus.Table? {
        let (sender, didSend) = state.withLock { ($0.sender, $0.didSend) }
        guard let status = sender?.status else { return nil }
        // Of one that has let go, as it was then, and with what is known to have been stored since: at most so many.
        let knows = status.isRunningHere || didSend
        return RelayStatus.Table(
            stream: stream, observer: name, waiting: knows ? status.backlog : 0, failing: status.held,
            deadLetters: status.deadLetters, isSentHere: status.isRunningHere)
    }
}
