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
        /// Whether somebody has begun to run the relay, which looks at the clock then.
        var hasRun = false
    }

    private let table: any TableAccess
    private let context: RelayContext
    private let sender: RelaySender
    private let senders: [Sender]
    private let state = Lock(State())

    /// - Parameters:
    ///   - table: The table.
    ///   - context: What all parts of the relay have in common.
    ///   - sender: What sends the rows.
    ///   - routes: What the relay carries.
    init(_ table: RelayedTable, _ context: RelayContext, _ sender: RelaySender, _ routes: [ActiveRoute]) {
        self.table = table.access
        self.context = context
        self.sender = sender
        let program = context.options.name
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
    func begin() throws(RelayFault) {
        var posts: [String: PostPastRelay] = [:]
        for (name, route) in senders.flatMap(\.routes) {
            posts[name] = { [relayed = context.center] notification, center, place in
                route.route.type.postCommitted(notification, past: relayed, in: center, from: place)
            }
        }
        if let reason = table.reserve(posts, for: senders.map(\.name)) { throw RelayFault(.invalidName, reason) }
        state.withLock { $0.isReserved = true }
        take()
        letGoUnlessRun()
    }

    /// Notes that somebody runs the relay.
    func noteRun() { state.withLock { $0.hasRun = true } }

    /// Lets go of the table after some time if the relay is not run, which is what looks at the clock otherwise. It takes the table again
    /// when it is connected. What the table has is kept for it all the while, as it is a known observer by then.
    private func letGoUnlessRun() {
        let (clock, patience) = (context.clock, context.options.handOverTime)
        Task { [weak self] in
            while (try? await clock.sleep(for: patience)) != nil, let self, !state.withLock({ $0.hasRun }) {
                tick()
                // Not again: whoever runs it does that.
                if state.withLock({ $0.isReleased || $0.isStopped || $0.isChanging }) { return }
            }
        }
    }

    /// Takes the table for each stream; another program may have it.
    private func take() {
        let runs = senders.map { sender in
            let run = TableRun(to: sender.stream, as: sender.name)
            run.sender = table.run(sender.name, Set(sender.routes.keys)) { [weak run] in
                run?.isActive == true
            } _: { [weak self, weak run] rows in
                await run?.waitForConnection()
                guard let self, let run, run.isActive else { return rows.map { _ in .interrupted } }
                return await send(rows, in: run, sender.routes)
            }
            return run
        }
        let now = context.clock.now
        let (isConnected, isStopped) = state.withLock { state in
            (state.runs, state.isChanging, state.isReleased, state.since) = (runs, false, false, now)
            return (state.isConnected, state.isStopped)
        }
        if isConnected { for run in runs { run.setConnected(true) } }
        if isStopped { for run in runs { run.stop() } }
    }

    /// Lets go of the table, so that another program can send.
    private func release() {
        let runs = state.withLock { $0.runs }
        for run in runs {
            run.release()
            // What waits for a connection was not sent, or it is not known whether it was: another program sends it.
            sender.buffer.update { $0.withdraw(tableOf: run.stream) }
        }
        Task {
            for run in runs { await run.waitForEnd() }
            let now = context.clock.now
            let takesAgain = state.withLock { state in
                (state.isReleased, state.since) = (true, now)
                state.isChanging = state.isConnected && !state.isStopped
                return state.isChanging
            }
            if takesAgain { take() }
        }
    }

    /// Sends rows of a table in their order, and returns when each is stored, or refused, or another program may send them.
    private func send(_ rows: [TableRow], in run: TableRun, _ routes: [String: ActiveRoute]) async -> [TableRow.Outcome]
    {
        let outcomes = TableOutcomes(rows.count)
        let place = StoredRoute(tableOf: run.stream)
        for (index, row) in rows.enumerated() {
            guard let route = routes[row.name], !run.isReleased else {
                outcomes.set(index, .interrupted)
                continue
            }
            let message: RelayMessage
            do throws(RelayFault) {
                message = try route.route.type.message(of: row, by: sender.events, atMost: sender.maximumPayload)
            } catch {
                context.report(error)
                outcomes.set(index, TableRow.Outcome(error))
                continue
            }
            let settle: SendBuffer.Settle = { [context] result in
                if case .failure(let fault) = result, fault.kind != .stopped { context.report(fault) }
                outcomes.set(index, TableRow.Outcome(result))
            }
            // When the relay has ended, the send buffer takes everything, and refuses it.
            repeat {
                await sender.waitForRoom(message)
                if run.isReleased {
                    outcomes.set(index, .interrupted)
                    break
                }
            } while !sender.append(message, to: place, settle)
        }
        // It may have been released while the last one was added, which then would wait for a connection.
        if run.isReleased { sender.buffer.update { $0.withdraw(tableOf: run.stream) } }
        return await outcomes.all()
    }

    /// Looks whether it is time to let go of the table, or to take it again.
    func tick() {
        let now = context.clock.now
        let (isDue, isReleased, tells) = state.withLock { state in
            guard !state.isConnected, !state.isStopped, !state.isChanging,
                now - state.since >= context.options.handOverTime
            else {
                return (false, false, false)
            }
            state.isChanging = true
            defer { if !state.isReleased { state.hasTold = true } }
            return (true, state.isReleased, !state.isReleased && !state.hasTold)
        }
        if !isDue { return }
        if isReleased { return take() }
        if tells {
            let names = senders.map(\.name).joined(separator: ", ")
            let words =
                "there is no connection for \(context.options.handOverTime), so another program may send from the outbox as \(names)"
            context.report(RelayFault(.outboxReleased, words))
        }
        release()
    }

    func setConnected(_ isConnected: Bool) {
        let now = context.clock.now
        let (runs, takes) = state.withLock { state in
            (state.isConnected, state.since) = (isConnected, now)
            if isConnected { state.hasTold = false }
            let takes = isConnected && state.isReleased && !state.isChanging && !state.isStopped
            if takes { state.isChanging = true }
            return (state.runs, takes)
        }
        for run in runs { run.setConnected(isConnected) }
        if takes { take() }
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
