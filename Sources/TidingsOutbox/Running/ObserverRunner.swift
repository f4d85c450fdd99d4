import Tidings

/// Runs one durable observer: takes rows behind its cursor, has them handled, and saves how far it has come.
///
/// The runner is the only one who changes the observer's progress; what is shared with others is its status.
final class ObserverRunner: Sendable {
    let name: String
    let consumer: RowConsumer
    private let store: any OutboxStore
    private let options: OutboxOptions
    private let clock: OutboxClock
    private let beginning: Int64
    private let delays: RetryDelays
    private let report: @Sendable (OutboxFault) -> Void
    private let identity: String
    private let signal = Signal()
    let status = RunnerStatus()

    init(
        _ name: String, _ consumer: RowConsumer, _ store: any OutboxStore, _ options: OutboxOptions,
        _ clock: OutboxClock, beginningAt beginning: Int64, delays: RetryDelays, identity: String,
        report: @escaping @Sendable (OutboxFault) -> Void
    ) {
        self.name = name
        self.consumer = consumer
        self.store = store
        self.options = options
        self.clock = clock
        self.beginning = beginning
        self.delays = delays
        self.identity = identity
        self.report = report
    }

    /// Has it look for new rows.
    func wake() { signal.turnOn() }

    /// Has it end after what it is handling.
    func stop() {
        status.stop()
        signal.turnOn()
    }

    private var isStopping: Bool { status.isStopping || !consumer.isActive() }

    /// Runs until it is stopped, or the observation ends.
    func run() async {
        while !isStopping {
            do {
                if let session = try await store.claim(name, beginningAt: beginning) {
                    storeWorks()
                    status.set(.running)
                    let isClean = await work(session)
                    await session.end(isClean: isClean)
                } else {
                    storeWorks()
                    status.set(.elsewhere)
                    await signal.wait(atMost: options.claimInterval.milliseconds, clock)
                }
            } catch { await storeFailed(error) }
        }
        status.end()
    }

    /// - Returns: Whether nothing that comes next may have been handled before.
    private func work(_ session: any ObserverSession) async -> Bool {
        var turn = Turn(
            session,
            ObserverProgress(
                session.beginning, delays: delays, isStrict: consumer.isStrict, limit: options.heldLimit,
                wall: clock.wall(), now: clock.now()), now: clock.now(), pageSize: options.pageSize)
        if session.beginning.wasAbandoned {
            report(.init(.returned, observer: name, "what was pruned while nobody ran it has not been delivered"))
        }
        while !isStopping {
            do {
                let isIdle = try await step(&turn)
                storeWorks()
                if isIdle {
                    tell(turn)
                    await signal.wait(atMost: turn.pause(at: clock.now(), options), clock)
                }
            } catch let error as OutboxError where error.code == .leaseLost {
                if !isStopping { report(.init(.leaseLost, observer: name, error.detail)) }
                return false
            } catch { await storeFailed(error) }
        }
        // What was handled has been handled, whether or not that can be saved: then it comes again.
        do { try await save(&turn) } catch { return false }
        return !turn.leavesRepeated
    }

    private func tell(_ turn: Turn) {
        status.note(
            cursor: turn.progress.cursor, held: turn.progress.heldCount, oldestHeld: turn.progress.oldestHeld,
            now: clock.now())
    }

    /// - Returns: Whether there is nothing to do at the moment.
    private func step(_ turn: inout Turn) async throws -> Bool {
        let now = clock.now()
        if turn.isTimeToLook(at: now, options) {
            turn.progress.merge(try await turn.session.held(), wall: clock.wall(), now: now)
        }
        if turn.isTimeToSave(at: now, options) { try await save(&turn) }
        let due = turn.progress.due(at: now, atMost: options.pageSize)
        if !due.isEmpty {
            let rows = try await store.rows(at: due.map(\.position))
            let found = Set(rows.map(\.position))
            for row in due where !found.contains(row.position) { turn.progress.miss(row.position) }
            let attempts = Dictionary(uniqueKeysWithValues: due.map { ($0.position, $0.attempts) })
            try await handle(rows, attempts, &turn)
            return false
        }
        guard turn.progress.mayTakeNew else { return true }
        let page = try await store.page(
            after: turn.progress.cursor, limit: options.pageSize, named: consumer.names)
        if page.end <= turn.progress.cursor { return true }
        if !page.rows.isEmpty { try await turn.session.confirm() }
        if try await handle(page.rows, nil, &turn) { turn.progress.pass(to: page.end) }
        tell(turn)
        return false
    }

    /// Handles rows: those behind the cursor, or with `attempts` those that are tried again.
    ///
    /// - Returns: Whether all of them were handled or held.
    @discardableResult
    private func handle(_ rows: [StoredRow], _ attempts: [Int64: Int]?, _ turn: inout Turn) async throws -> Bool {
        if consumer.handleTogether != nil { return try await handleTogether(rows, attempts, &turn) }
        for row in rows {
            let work = consumer.prepare(row)
            if attempts == nil {
                guard turn.progress.mayTakeNew else { return false }
                guard turn.progress.take(row.position, key: work.key) else { continue }
            }
            let attempt = attempts?[row.position] ?? 0
            status.begin(row, at: clock.now())
            let outcome = await work.run(
                attempt + 1, attempt > 0 || turn.mayBeRepeated(row.position, isHeld: attempts != nil))
            status.endCall()
            guard try await note(outcome, of: work, &turn) else { return false }
            if isStopping { return false }
            if turn.isTimeToSave(at: clock.now(), options) { try await save(&turn) }
        }
        return true
    }

    private func handleTogether(_ rows: [StoredRow], _ attempts: [Int64: Int]?, _ turn: inout Turn) async throws -> Bool
    {
        var works: [RowConsumer.Work] = []
        for row in rows {
            let work = consumer.prepare(row)
            if attempts != nil || turn.progress.canTake(row.position, key: work.key) { works.append(work) }
        }
        let outcomes = await consumer.handleTogether?(works) ?? []
        var results = Dictionary(uniqueKeysWithValues: zip(works.map(\.row.position), zip(works, outcomes)))
        // They were handled together, so each counts, also behind one that failed.
        for row in rows {
            guard let (work, outcome) = results.removeValue(forKey: row.position) else {
                if attempts == nil, turn.progress.take(row.position, key: consumer.prepare(row).key) { return false }
                continue
            }
            switch outcome {
            case .done, .interrupted: guard try await note(outcome, of: work, &turn) else { return false }
            // That it holds up others does not matter here.
            case .failed(let error): guard try await fail(work, error, nil, &turn) else { return false }
            case .hopeless(let kind, let error): guard try await fail(work, error, kind, &turn) else { return false }
            }
        }
        return true
    }

    /// - Returns: Whether to go on.
    private func note(_ outcome: RowConsumer.Outcome, of work: RowConsumer.Work, _ turn: inout Turn) async throws
        -> Bool
    {
        switch outcome {
        case .done:
            turn.progress.succeed(work.row.position)
            for watcher in status.countDone() { watcher.note(work.row.id, by: name, nil) }
            return true
        case .interrupted:
            turn.wasInterrupted = true
            return false
        case .failed(let error):
            guard try await fail(work, error, nil, &turn) else { return false }
        case .hopeless(let kind, let error):
            guard try await fail(work, error, kind, &turn) else { return false }
        }
        return turn.progress.mayTakeNew
    }

    /// - Returns: Whether the attempt counts.
    private func fail(_ work: RowConsumer.Work, _ error: String, _ kind: OutboxFault.Kind?, _ turn: inout Turn)
        async throws -> Bool
    {
        let before = turn.progress
        let delay = turn.progress.fail(
            work.row.position, key: work.key, error: error, isFinal: kind != nil, now: clock.now())
        if delay == nil, kind == nil {
            // While the store is away, an observer that uses the same database fails, too. What cannot be written down as buried is not:
            // it is tried again when it can. The store may be back just now: then it is tried once more, too.
            if status.isStoreFailing {
                turn.progress = before
                try await turn.session.save(ProgressChange(cursor: before.savedCursor))
                storeWorks()
                return false
            }
            do { try await save(&turn) } catch {
                turn.progress = before
                throw error
            }
        }
        for watcher in status.countFailure(error, isBuried: delay == nil) {
            watcher.note(work.row.id, by: name, (error, delay == nil))
        }
        let id = "\(identity)-\(work.row.id)"
        if let delay {
            report(.init(.observerFailed, observer: name, id: id, "\(error); again in \(delay)"))
        } else {
            report(.init(kind ?? .buried, observer: name, id: id, error))
        }
        return true
    }

    private func save(_ turn: inout Turn) async throws {
        turn.savedAt = clock.now()
        guard turn.progress.hasChanged || turn.isTimeToTouch(at: clock.now(), options) else { return }
        let before = turn.progress
        let change = turn.progress.takeChange(wall: clock.wall(), now: clock.now())
        do { try await turn.session.save(change) } catch {
            turn.progress = before
            throw error
        }
        turn.touchedAt = clock.now()
    }

    /// Tells the first failure of a row of them, and waits: a little longer each time.
    private func storeFailed(_ error: any Error) async {
        let (isFirst, count) = status.storeFailed("\(error)")
        if isFirst { report(.init(.storeFailed, observer: name, "\(error)")) }
        let pause = min(options.pollInterval.milliseconds, 50 << min(count, 10))
        await signal.wait(atMost: max(pause, 10), clock)
    }

    private func storeWorks() {
        if status.storeWorks() { report(.init(.storeRecovered, observer: name, "the store works again")) }
    }
}
