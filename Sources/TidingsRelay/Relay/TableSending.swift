import Tidings
import TidingsWire

/// Sends the notifications of a table. Each stream of an outgoing route has one sender, which sends in the order of the
/// table.
///
/// A stream that accepts no messages therefore holds up only itself, and the types of one stream keep their order.
///
/// If several programs share a table, only one sends to a stream at a time. A program that has been without a
/// connection for some time releases the table, so that another program with a connection can send. There may be no
/// such program, so the first one claims the table again after the same time: the table keeps rows for an observer that
/// has claimed it, but not indefinitely for one that hasn't.
final class TableSending: Sendable {
    /// The routes of one stream, and the name of its sender.
    private struct Sender: Sendable {
        let stream: String
        let name: String
        let routes: [String: ActiveRoute]
    }

    private struct State {
        var runs: [TableRun] = []
        var isStopped = false
        /// Whether this relay has reserved the names, so that no other one sends the same notifications from the table.
        var isReserved = false
        var isConnected = false
        /// Whether the table is being claimed or released.
        var isChanging = false
        /// Whether the table was released and not claimed again.
        var isReleased = false
        /// The time at which the connection ended, or at which the table was claimed or released after that.
        var since = Duration.zero
        /// Whether the missing connection was reported.
        var hasTold = false
        /// Whether the relay has started to run. A running relay calls ``tick()``.
        var hasRun = false
    }

    private let table: any TableAccess
    private let context: RelayContext
    private let sender: RelaySender
    private let senders: [Sender]
    private let state = Lock(State())

    /// - Parameters:
    ///   - table: The table.
    ///   - context: The context of the relay.
    ///   - sender: Sends the rows.
    ///   - routes: The routes of the relay.
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

    /// Starts as an observer of the table's rows, which the table keeps for it from now on.
    ///
    /// - Throws: A fault if another relay sends the same notifications from the table.
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

    /// Records that the relay is running.
    func noteRun() { state.withLock { $0.hasRun = true } }

    /// Releases the table after some time if the relay isn't run, because only a running relay calls ``tick()``. The
    /// table is claimed again when the relay is connected. Until then the table keeps its rows for it, because it is a
    /// known observer by then.
    private func letGoUnlessRun() {
        let (clock, patience) = (context.clock, context.options.handOverTime)
        Task { [weak self] in
            while (try? await clock.sleep(for: patience)) != nil, let self, !state.withLock({ $0.hasRun }) {
                tick()
                // The table is released once. After that, whoever runs the relay is responsible.
                if state.withLock({ $0.isReleased || $0.isStopped || $0.isChanging }) { return }
            }
        }
    }

    /// Claims the table for each stream. Another program may have it.
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

    /// Releases the table, so that another program can send.
    private func release() {
        let runs = state.withLock { $0.runs }
        for run in runs {
            run.release()
            // A message that waits for a connection was not sent, or it is unknown whether it was. Another program
            // sends it.
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

    /// Sends rows of a table in their order. Returns when each row is stored or rejected, or when another program may
    /// send them.
    private func send(_ rows: [TableRow], in run: TableRun, _ routes: [String: ActiveRoute]) async -> [TableRow.Outcome]
    {
        let outcomes = TableOutcomes(rows.count)
        let place = Destination(stream: run.stream, isDroppable: false)
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
            // After the relay has ended, the send buffer accepts every message and fails it.
            repeat {
                await sender.waitForRoom(message)
                if run.isReleased {
                    outcomes.set(index, .interrupted)
                    break
                }
            } while !sender.append(message, to: place, settle)
        }
        // The run may have been released while the last message was added. That message would wait for a connection.
        if run.isReleased { sender.buffer.update { $0.withdraw(tableOf: run.stream) } }
        return await outcomes.all()
    }

    /// Checks whether it is time to release the table, or to claim it again.
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
                "there has been no connection for \(context.options.handOverTime), so another program may send from the outbox as \(names)"
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

    /// Stops taking rows from the table.
    func stop() {
        let runs = state.withLock { state in
            state.isStopped = true
            return state.runs
        }
        for run in runs { run.stop() }
    }

    /// Returns when the rows taken from the table are settled, and the table has recorded that.
    func waitForEnd() async { for run in state.withLock({ $0.runs }) { await run.waitForEnd() } }

    /// Stops, and lets other relays send from the table.
    func end() {
        stop()
        let wasReserved = state.withLock { state in
            defer { state.isReserved = false }
            return state.isReserved
        }
        // The names are released only once, because another relay may have reserved them since.
        if wasReserved { table.release(senders.flatMap(\.routes.keys), senders.map(\.name)) }
    }

    /// How far the streams are behind the table.
    var backlog: Int { state.withLock { $0.runs }.reduce(0) { $0 + $1.backlog } }
}
