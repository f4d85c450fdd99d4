import Tidings
import TidingsWire

/// What a relay sends from a table: for each stream that its routes go out to, one sender, in the order of the table.
///
/// A stream that takes nothing so holds up only itself, and types of one stream keep their order.
///
/// Of several programs with one table, one sends to a stream. One that has had no connection for some time lets go, so that another one
/// that has a connection can send. As there may be none, it takes the table again after the same time: rows are kept for who has taken
/// it, and not for ever for who has not.
final class TableSending: Sendable {
    /// What one stream gets.
    private struct Sender: Sendable {
        let stream: String
        let name: String
        let routes: [String: ActiveRoute]
    }

    private struct State {
        var runs: [TableRun] = []
        var isStopped = false
        /// Whether nobody else sends the same from the table.
        var isReserved = false
        var isConnected = false
        /// Whether the table is being taken, or let go of.
        var isChanging = false
        /// Whether it was let go of, and not taken again.
        var isReleased = false
        /// When the connection ended; or when the table was taken, or let go of, after that.
        var since = Duration.zero
        /// Whether it was told that there is no connection.
        var hasTold = false
    }

    private let table: any TableAccess
    private let senders: [Sender]
    private let patience: Duration
    private let state = Lock(State())

    /// - Parameters:
    ///   - table: The table.
    ///   - program: What the program is called on the wire.
    ///   - routes: What the relay carries.
    ///   - patience: After how long without a connection it lets go of the table.
    init(_ table: RelayedTable, as program: String, _ routes: [ActiveRoute], patience: Duration) {
        self.table = table.access
        self.patience = patience
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
        take(relay)
        letGoUnlessRun(relay)
    }

    /// Lets go of the table after some time if the relay is not run, which is what looks at the clock otherwise. It takes the table again
    /// when it is connected. What the table has is kept for it all the while, as it is a known observer by then.
    private func letGoUnlessRun(_ relay: NotificationRelay) {
        let (clock, patience) = (relay.clock, patience)
        Task { [weak self, weak relay] in
            while (try? await clock.sleep(for: patience)) != nil, let self, let relay, !relay.hasRun {
                tick(relay)
                // Not again: whoever runs it does that.
                if state.withLock({ $0.isReleased || $0.isStopped || $0.isChanging }) { return }
            }
        }
    }

    /// Takes the table for each stream; another program may have it.
    private func take(_ relay: NotificationRelay) {
        let runs = senders.map { sender in
            let run = TableRun(to: sender.stream, as: sender.name)
            run.sender = table.run(sender.name, Set(sender.routes.keys)) { [weak run] in
                run?.isActive == true
            } _: { [weak relay, weak run] rows in
                await run?.waitForConnection()
                guard let relay, let run, run.isActive else { return rows.map { _ in .interrupted } }
                return await relay.send(rows, in: run, sender.routes)
            }
            return run
        }
        let now = relay.clock.now
        let (isConnected, isStopped) = state.withLock { state in
            (state.runs, state.isChanging, state.isReleased, state.since) = (runs, false, false, now)
            return (state.isConnected, state.isStopped)
        }
        if isConnected { for run in runs { run.setConnected(true) } }
        if isStopped { for run in runs { run.stop() } }
    }

    /// Lets go of the table, so that another program can send.
    private func release(_ relay: NotificationRelay) {
        let runs = state.withLock { $0.runs }
        for run in runs {
            run.release()
            // What waits for a connection was not sent, or it is not known whether it was: another program sends it.
            relay.outbox.update { $0.withdraw(tableOf: run.stream) }
        }
        Task { [weak relay] in
            for run in runs { await run.waitForEnd() }
            let now = relay?.clock.now ?? .zero
            let takesAgain = state.withLock { state in
                (state.isReleased, state.since) = (true, now)
                state.isChanging = state.isConnected && !state.isStopped
                return state.isChanging
            }
            if takesAgain, let relay { take(relay) }
        }
    }

    /// Looks whether it is time to let go of the table, or to take it again.
    func tick(_ relay: NotificationRelay) {
        let now = relay.clock.now
        let (isDue, isReleased, tells) = state.withLock { state in
            guard !state.isConnected, !state.isStopped, !state.isChanging, now - state.since >= patience else {
                return (false, false, false)
            }
            state.isChanging = true
            defer { if !state.isReleased { state.hasTold = true } }
            return (true, state.isReleased, !state.isReleased && !state.hasTold)
        }
        if !isDue { return }
        if isReleased { return take(relay) }
        if tells {
            let names = senders.map(\.name).joined(separator: ", ")
            let words =
                "there is no connection for \(patience), so another program may send from the outbox as \(names)"
            relay.report(RelayFault(.outboxReleased, words))
        }
        release(relay)
    }

    func setConnected(_ isConnected: Bool, _ relay: NotificationRelay) {
        let now = relay.clock.now
        let (runs, takes) = state.withLock { state in
            (state.isConnected, state.since) = (isConnected, now)
            if isConnected { state.hasTold = false }
            let takes = isConnected && state.isReleased && !state.isChanging && !state.isStopped
            if takes { state.isChanging = true }
            return (state.runs, takes)
        }
        for run in runs { run.setConnected(isConnected) }
        if takes { take(relay) }
    }

    /// Takes nothing more from the table.
    func stop() {
        let runs = state.withLock { state in
            state.isStopped = true
            return state.runs
        }
        for run in runs { run.stop() }
    }

    /// Returns when what was taken from the table is settled, and that is noted there.
    func waitForEnd() async { for run in state.withLock({ $0.runs }) { await run.waitForEnd() } }

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
    var status: [RelayStatus.Table] { state.withLock { $0.runs }.compactMap(\.status) }
}
