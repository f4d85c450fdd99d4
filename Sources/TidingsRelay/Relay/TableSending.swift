import Tidings
import TidingsWire

/// What a relay sends from a table: for each stream that its routes go out to, one sender, in the order of the table.
///
/// A stream that takes nothing so holds up only itself, and types of one stream keep their order.
final class TableSending: Sendable {
    /// What one stream gets.
    private struct Sender: Sendable {
        let stream: String
        let name: String
        let routes: [String: ActiveRoute]
    }

    private struct State {
        var running: [(stream: String, name: String, sender: any TableSender)] = []
        var isStopped = false
        /// Whether nobody else sends the same from the table.
        var isReserved = false
    }

    private let table: any TableAccess
    private let senders: [Sender]
    /// It is open while there is a connection: what cannot be sent stays in the table.
    private let gate = Switch()
    private let state = Lock(State())

    /// - Parameters:
    ///   - table: The table.
    ///   - program: What the program is called on the wire.
    ///   - routes: What the relay carries.
    init(_ table: RelayedTable, as program: String, _ routes: [ActiveRoute]) {
        self.table = table.access
        let outgoing = routes.filter { $0.route.direction != .incoming }
        senders = Set(outgoing.compactMap(\.stream)).sorted().map { stream in
            let routes = outgoing.filter { $0.stream == stream }.map { ($0.route.eventName, $0) }
            return Sender(
                stream: stream, name: "relay.\(program).\(stream)",
                routes: Dictionary(routes, uniquingKeysWith: { first, _ in first }))
        }
    }

    deinit { end() }

    /// Begins, as the observer of the table's rows that it is: they are kept for it from now on.
    ///
    /// - Throws: A fault if another relay sends the same from the table.
    func begin(_ relay: NotificationRelay) throws(RelayFault) {
        var posts: [String: PostPastRelay] = [:]
        for (name, route) in senders.flatMap(\.routes) {
            posts[name] = { [weak relay] notification, center, place in
                guard let relay else { return _ = center.post(notification, from: place) }
                route.route.postCommitted(relay, notification, center, place)
            }
        }
        if let reason = table.reserve(posts, for: senders.map(\.name)) { throw RelayFault(.invalidName, reason) }
        state.withLock { $0.isReserved = true }
        for sender in senders {
            let running = table.run(sender.name, Set(sender.routes.keys)) { [weak self] in
                self?.isStopped == false
            } _: { [weak self, weak relay, gate] rows in
                await gate.wait()
                guard let relay, self?.isStopped == false else { return rows.map { _ in .interrupted } }
                return await relay.send(rows, to: sender.stream, sender.routes)
            }
            state.withLock { $0.running.append((sender.stream, sender.name, running)) }
        }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    func setConnected(_ isConnected: Bool) {
        if isConnected { gate.turnOn() } else if !isStopped { gate.turnOff() }
    }

    /// Takes nothing more from the table.
    func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running
        }
        for (_, _, sender) in running { sender.stop() }
        gate.turnOn()
    }

    /// Returns when what was taken from the table is settled, and that is noted there.
    func waitForEnd() async { for (_, _, sender) in state.withLock({ $0.running }) { await sender.waitForEnd() } }

    /// Stops, and lets others send from the table.
    func end() {
        stop()
        let wasReserved = state.withLock { state in
            defer { state.isReserved = false }
            return state.isReserved
        }
        // Once: it may be another's by now.
        if wasReserved { table.release(senders.flatMap(\.routes.keys), senders.map(\.name)) }
    }

    /// How far each stream has what the table has.
    var status: [RelayStatus.Table] {
        state.withLock { $0.running }.map { stream, name, sender in
            let status = sender.status
            return RelayStatus.Table(
                stream: stream, observer: name, waiting: status.backlog, failing: status.held, buried: status.buried,
                isSentHere: status.isRunningHere)
        }
    }
}
