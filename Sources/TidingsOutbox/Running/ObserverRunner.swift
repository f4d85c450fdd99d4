import Tidings

/// Runs one durable observer: takes rows behind its cursor, has them handled, and saves how far it has come.
///
/// The runner is the only one who changes the observer's progress; what is shared with others is its status. What it does with rows that it
/// has taken stands in `ObserverRunner+Handling`.
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
    /// When the observer was last offered to programs of newer versions, and up to which position.
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

    /// Has it look for new rows. It does not do that by itself: the outbox asks the store for all observers whether there is something.
    func wake() { signal.set() }

    /// Has it look for what was sent again, too.
    func wakeForHeld() {
        isToReadHeld.withLock { $0 = true }
        wake()
    }

    /// Has it end after what it is handling.
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

    /// The next row has a version that this program doesn't read.
    struct HandOver: Error {}

    /// Whether to let go of the observer before a row of a newer version, so that a program of that version can take it over with its order
    /// kept. It is done once for each row, and seldom: if nobody takes over, the row is tried again here after delays.
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

    /// Leaves the observer to others for a while.
    private func standBack() async {
        status.set(.elsewhere)
        let end = clock.milliseconds + 4 * options.claimInterval.milliseconds
        while !isStopping, clock.milliseconds < end { await wait(atMost: .milliseconds(end - clock.milliseconds)) }
    }

    /// - Returns: Whether nothing that comes next may have been handled before, and whether the observer is left to a newer program.
    private func work(_ session: any OutboxObserverSession) async -> (isClean: Bool, isHandedOver: Bool) {
        var turn = Turn(
            session,
            ObserverProgress(
                session.beginning, delays: delays, isStrict: consumer.isStrict, limit: options.heldLimit,
                wall: clock.wall, now: clock.milliseconds), now: clock.milliseconds, pageSize: options.pageSize)
        if session.beginning.wasAbandoned {
            report(.init(.returned, observer: name, "what was pruned while nobody ran it has not been delivered"))
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
        // What was handled has been handled, whether or not that can be saved: then it comes again.
        do { try await save(&turn) } catch { return (false, isHandedOver) }
        return (!turn.leavesRepeated, isHandedOver)
    }

    private func tell(_ turn: inout Turn) {
        status.note(
            cursor: turn.progress.cursor, held: turn.progress.heldCount, oldestHeld: turn.progress.oldestHeld(),
            now: clock.milliseconds)
    }

    /// - Returns: Whether there is nothing to do at the moment.
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

    /// Tells the first failure of a row of them, and waits: a little longer each time.
    private func storeFailed(_ error: any Error) async {
        let (isFirst, pause) = status.storeFailed("\(error)", options.pollInterval)
        if isFirst { report(.init(.storeFailed, observer: name, "\(error)")) }
        await wait(atMost: pause)
    }

    /// Waits until there may be something to do. Whatever wakes it after that wakes it again the next time.
    private func wait(atMost limit: Duration) async {
        await signal.wait(within: limit, clock)
        signal.clear()
    }

    func storeWorks() {
        if status.storeWorks() { report(.init(.storeRecovered, observer: name, "the store works again")) }
    }
}
