import Tidings

/// Runs one durable observer: takes rows after its cursor, has them handled, and saves its progress.
///
/// Only the runner changes the observer's progress. It shares only its status with others. `ObserverRunner+Handling`
/// contains the handling of the rows.
final class ObserverRunner: Sendable {
    let name: String
    let consumer: RowConsumer
    let store: any OutboxStore
    private let pages: SharedPages
    let options: OutboxOptions
    let clock: ElapsedClock
    private let beginning: Int64
    private let delays: RetryPolicy
    let report: @Sendable (OutboxFault) -> Void
    let identity: String
    private let signal = Flag()
    private let isToReadHeld = Lock(false)
    /// The time at which the observer was last offered to programs of newer versions, and the position.
    private let handedOver = Lock<(at: Int64, position: Int64)?>(nil)
    let status = RunnerStatus()

    init(
        _ name: String, _ consumer: RowConsumer, _ store: any OutboxStore, _ pages: SharedPages,
        _ options: OutboxOptions, _ clock: ElapsedClock, beginningAt beginning: Int64, delays: RetryPolicy,
        identity: String,
        report: @escaping @Sendable (OutboxFault) -> Void
    ) {
        self.name = name
        self.consumer = consumer
        self.store = store
        self.pages = pages
        self.options = options
        self.clock = clock
        self.beginning = beginning
        self.delays = delays
        self.identity = identity
        self.report = report
    }

    /// Makes the runner check for new rows. It doesn't do so on its own, because the outbox queries the store for all
    /// observers.
    func wake() { signal.set() }

    /// Makes the runner also check for redelivered dead letters.
    func wakeForHeld() {
        isToReadHeld.withLock { $0 = true }
        wake()
    }

    /// Ends the runner after the current call.
    func stop() {
        status.stop()
        signal.set()
    }

    var isStopping: Bool { status.isStopping || !consumer.isActive() }

    /// Runs until it is stopped, or the observation ends.
    func run() async {
        while !isStopping {
            do {
                if let session = try await store.claim(name, beginningAt: beginning) {
                    storeWorks()
                    status.set(.running)
                    let (isClean, isHandedOver) = await work(session)
                    await session.end(isClean: isClean)
                    if isHandedOver { await standBack() }
                } else {
                    storeWorks()
                    status.set(.elsewhere)
                    await wait(atMost: options.claimInterval)
                }
            } catch { await storeFailed(error) }
        }
        status.end()
    }

    /// The next row has a version that this program can't read.
    struct HandOver: Error {}

    /// Whether to release the observer before a row of a newer version, so that a program of that version can take it
    /// over without changing the order. This is done once for each row, and rarely. If no program takes over, the row
    /// is retried here after delays.
    func mayHandOver(_ position: Int64, _ turn: inout Turn) -> Bool {
        let now = clock.milliseconds
        if position <= turn.progress.cursor { return false }
        return handedOver.withLock { handedOver in
            if let last = handedOver, position <= last.position || now - last.at < Self.handOverInterval {
                return false
            }
            handedOver = (now, position)
            return true
        }
    }

    private static let handOverInterval: Int64 = 30_000

    /// Leaves the observer to other programs for a while.
    private func standBack() async {
        status.set(.elsewhere)
        let end = clock.milliseconds + 4 * options.claimInterval.milliseconds
        while !isStopping, clock.milliseconds < end { await wait(atMost: .milliseconds(end - clock.milliseconds)) }
    }

    /// - Returns: Whether no later row may have been handled before, and whether the observer is left to a newer
    ///   program.
    private func work(_ session: any OutboxObserverSession) async -> (isClean: Bool, isHandedOver: Bool) {
        var turn = Turn(
            session,
            ObserverProgress(
                session.beginning, delays: delays, isStrict: consumer.isStrict, limit: options.heldLimit,
                wall: clock.wall, now: clock.milliseconds), now: clock.milliseconds, pageSize: options.pageSize)
        if session.beginning.wasAbandoned {
            report(.init(.returned, observer: name, "rows that were pruned while no program ran it were not delivered"))
        }
        var isHandedOver = false
        while !isStopping, !isHandedOver {
            do {
                let isIdle = try await step(&turn)
                storeWorks()
                if isIdle {
                    tell(&turn)
                    await wait(atMost: .milliseconds(turn.pause(at: clock.milliseconds, options)))
                }
            } catch let error as OutboxError where error.code == .leaseLost {
                if !isStopping { report(.init(.leaseLost, observer: name, error.detail)) }
                return (false, false)
            } catch is HandOver {
                isHandedOver = true
            } catch { await storeFailed(error) }
        }
        // If the progress can't be saved, the handled rows are repeated.
        do { try await save(&turn) } catch { return (false, isHandedOver) }
        return (!turn.leavesRepeated, isHandedOver)
    }

    private func tell(_ turn: inout Turn) {
        status.note(
            cursor: turn.progress.cursor, held: turn.progress.heldCount, oldestHeld: turn.progress.oldestHeld(),
            now: clock.milliseconds)
    }

    /// - Returns: Whether there is currently nothing to do.
    private func step(_ turn: inout Turn) async throws -> Bool {
        let now = clock.milliseconds
        if isToReadHeld.withLock({ $0 }) {
            isToReadHeld.withLock { $0 = false }
            do { turn.progress.merge(try await turn.session.held(), wall: clock.wall, now: now) } catch {
                isToReadHeld.withLock { $0 = true }
                throw error
            }
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
        let page = try await pages.page(
            after: turn.progress.cursor, limit: options.pageSize, named: consumer.names)
        if page.end <= turn.progress.cursor {
            status.noteCaughtUp()
            return true
        }
        if !page.rows.isEmpty { try await turn.session.confirm() }
        if try await handle(page.rows, nil, &turn) { turn.progress.pass(to: page.end) }
        tell(&turn)
        return false
    }

    func save(_ turn: inout Turn) async throws {
        turn.savedAt = clock.milliseconds
        guard turn.progress.hasChanged || turn.isTimeToTouch(at: clock.milliseconds, options) else { return }
        try await turn.session.save(turn.progress.change(wall: clock.wall, now: clock.milliseconds))
        turn.progress.noteSaved()
        turn.touchedAt = clock.milliseconds
    }

    /// Reports the first of successive failures, and waits a little longer each time.
    private func storeFailed(_ error: any Error) async {
        let (isFirst, pause) = status.storeFailed("\(error)", options.pollInterval)
        if isFirst { report(.init(.storeFailed, observer: name, "\(error)")) }
        await wait(atMost: pause)
    }

    /// Waits until there may be work. A wake-up that arrives afterwards ends the next wait.
    private func wait(atMost limit: Duration) async {
        await signal.wait(within: limit, clock)
        signal.clear()
    }

    func storeWorks() {
        if status.storeWorks() { report(.init(.storeRecovered, observer: name, "the store works again")) }
    }
}
