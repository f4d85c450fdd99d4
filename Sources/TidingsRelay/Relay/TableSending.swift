/// Sends the rows of an outbox's table. Each stream has its own sender, so a blocked stream delays no other. If several
/// programs share a table, one program at a time sends to each stream. A program that has had no connection for
/// ``RelayOptions/handOverTime`` releases the table. After another ``RelayOptions/handOverTime``, a running relay
/// claims the table again, because the outbox removes the rows of observers that stay unclaimed. A relay that has never
/// run leaves the table released until it runs.
final class TableSending: Sendable {
    private struct Sender: Sendable {
        let stream: String
        let name: String
        let routes: [String: ActiveRoute]
    }

    private struct State {
        var runs: [TableRun] = []
        var isStopped = false
        var isReserved = false
        var isConnected = false
        var isChanging = false
        var isReleased = false
        /// The time at which the connection last began or ended, or the table was last claimed or released.
        var since = Duration.zero
        var hasTold = false
        var hasRun = false
    }

    private let table: any TableAccess
    private let context: RelayContext
    private let sender: RelaySender
    private let senders: [Sender]
    private let state = Lock(State())

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

    func begin() throws(RelayFault) {
        var posts: [String: PostPastRelay] = [:]
        for (name, route) in senders.flatMap(\.routes) {
            posts[name] = { [relayed = context.center] notification, center, place in
                relayed.postCommitted(notification, as: route.route.type, in: center, from: place)
            }
        }
        if let reason = table.reserve(posts, for: senders.map(\.name)) { throw RelayFault(.invalidName, reason) }
        state.withLock { $0.isReserved = true }
        take()
        letGoUnlessRun()
    }

    func noteRun() { state.withLock { $0.hasRun = true } }

    /// Releases the table if the relay isn't running. Only a running relay calls ``tick()`` itself.
    private func letGoUnlessRun() {
        let (clock, patience) = (context.clock, context.options.handOverTime)
        Task { [weak self] in
            while (try? await clock.sleep(for: patience)) != nil, let self, !state.withLock({ $0.hasRun }) {
                tick()
                // This loop ends after it has released the table, or when the relay runs and calls `tick` itself.
                if state.withLock({ $0.isReleased || $0.isStopped || $0.isChanging }) { return }
            }
        }
    }

    private func take() {
        let runs = senders.map { sender in
            let run = TableRun(to: sender.stream)
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
        let isStopped = state.withLock { state in
            (state.runs, state.isChanging, state.isReleased, state.since) = (runs, false, false, now)
            // The gates are opened under the lock. Otherwise, `setConnected(false)` could close them first, on another
            // thread, and they would stay open.
            if state.isConnected { for run in runs { run.setConnected(true) } }
            return state.isStopped
        }
        if isStopped { for run in runs { run.stop() } }
    }

    private func release() {
        let runs = state.withLock { $0.runs }
        for run in runs {
            run.release()
            // Another program sends the withdrawn messages again. The stream detects duplicates.
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

    /// Returns when each row is stored or rejected, or when another program may send the rows.
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
                message = try sender.events.message(of: row, as: route.route.type, atMost: sender.maximumPayload)
            } catch {
                context.report(error)
                outcomes.set(index, TableRow.Outcome(error))
                continue
            }
            let settle: SendBuffer.Settle = { [context] result in
                if case .failure(let fault) = result, fault.kind != .stopped { context.report(fault) }
                outcomes.set(index, TableRow.Outcome(result))
            }
            // If the relay has ended, the loop ends, because the send buffer accepts every message and fails it.
            repeat {
                await sender.waitForRoom(message, in: run)
                if run.isReleased {
                    outcomes.set(index, .interrupted)
                    break
                }
            } while !sender.append(message, to: place, settle)
        }
        // If the run was released while the last message was added, the message must not wait for a connection.
        if run.isReleased { sender.buffer.update { $0.withdraw(tableOf: run.stream) } }
        return await outcomes.all()
    }

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

    func stop() {
        let runs = state.withLock { state in
            state.isStopped = true
            return state.runs
        }
        for run in runs { run.stop() }
    }

    func waitForEnd() async { for run in state.withLock({ $0.runs }) { await run.waitForEnd() } }

    func end() {
        stop()
        let wasReserved = state.withLock { state in
            defer { state.isReserved = false }
            return state.isReserved
        }
        // The names are released only once, because another relay may have reserved them since.
        if wasReserved { table.release(senders.flatMap(\.routes.keys), senders.map(\.name)) }
    }

    var backlog: Int { state.withLock { $0.runs }.reduce(0) { $0 + $1.backlog } }
}
