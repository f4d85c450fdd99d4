final class ObserverRunner: Sendable {
    let observer: String
    let partition: Int
    let requested: Int
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
    let isToReadHeld = Lock(false)
    private let handedOver = Lock<(at: Int64, position: Int64)?>(nil)
    private weak let first: ObserverRunner?
    /// Set when the store has first answered a claim, or when the runner has ended.
    private let isClaimed = Flag()
    private let onPartitions: @Sendable (Int) -> Void
    let status = RunnerStatus()

    var name: String { Partitions.name(observer, partition) }

    /// `run` waits until the store has answered the claim of `first`, because that claim creates the other partitions.
    init(
        _ observer: String, partition: Int = 0, of requested: Int = 1, after first: ObserverRunner? = nil,
        _ consumer: RowConsumer, _ store: any OutboxStore, _ pages: SharedPages, _ options: OutboxOptions,
        _ clock: ElapsedClock, beginningAt beginning: Int64, delays: RetryPolicy, identity: String,
        onPartitions: @escaping @Sendable (Int) -> Void = { _ in }, report: @escaping @Sendable (OutboxFault) -> Void
    ) {
        self.observer = observer
        self.partition = partition
        self.requested = requested
        self.first = first
        self.onPartitions = onPartitions
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

    /// Makes the runner check for rows. A runner doesn't poll, because the outbox polls the store for all runners.
    func wake() { signal.set() }

    func wakeForHeld() {
        isToReadHeld.withLock { $0 = true }
        wake()
    }

    func stop() {
        status.stop()
        signal.set()
    }

    var isStopping: Bool { status.isStopping || !consumer.isActive() }

    func run() async {
        await first?.isClaimed.wait()
        while !isStopping {
            do {
                let session = try await store.claim(
                    observer, partition: partition, of: requested, beginningAt: beginning)
                if let session {
                    try await check(session)
                    storeWorks()
                    status.set(.running, session.beginning)
                    isClaimed.set()
                    onPartitions(session.beginning.partitions)
                    let (isClean, isHandedOver) = await work(session)
                    // Ending the session makes other programs compute their shares, so this program gives up its share
                    // before that.
                    if isHandedOver { await store.standAside(for: observer) }
                    await session.end(isClean: isClean)
                    if isHandedOver { await standBack() }
                } else {
                    storeWorks()
                    status.set(.elsewhere)
                    isClaimed.set()
                    await wait(atMost: options.claimInterval)
                }
            } catch let error as OutboxError where error.code == .invalidName {
                // The fault is reported last, so that code that observes it can register the durable observer again.
                consumer.end()
                stop()
                report(.init(.invalidName, observer: observer, error.detail))
            } catch { await storeFailed(error) }
        }
        status.set(.ended)
        isClaimed.set()
    }

    private func check(_ session: any OutboxObserverSession) async throws {
        guard consumer.isStrict, session.beginning.partitions > 1 else { return }
        await session.end(isClean: !session.beginning.wasInterrupted)
        throw OutboxError(
            .invalidName,
            "\(observer) has \(session.beginning.partitions) partitions and can't keep strict order: use another name")
    }

    struct HandOver: Error {}

    /// Whether to stop at a row that this program can't read, so that a newer program can take over and keep the order.
    /// True at most once for each row, and at most once in each `handOverInterval`.
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

    private func standBack() async {
        status.set(.elsewhere)
        let end = clock.milliseconds + 4 * options.claimInterval.milliseconds
        while !isStopping, clock.milliseconds < end { await wait(atMost: .milliseconds(end - clock.milliseconds)) }
    }

    private func work(_ session: any OutboxObserverSession) async -> (isClean: Bool, isHandedOver: Bool) {
        var turn = Turn(
            session,
            ObserverProgress(
                session.beginning, delays: delays, isStrict: consumer.isStrict, limit: options.heldLimit,
                wall: clock.wall, now: clock.milliseconds), now: clock.milliseconds, pageSize: options.pageSize)
        if session.beginning.wasAbandoned {
            report(
                .init(.returned, observer: observer, "it misses rows that were removed while no program ran it")
            )
        }
        var isHandedOver = false
        while !isStopping, !isHandedOver, !session.isWantedElsewhere {
            do {
                let isIdle = try await step(&turn)
                storeWorks()
                if isIdle {
                    tell(&turn)
                    await wait(atMost: .milliseconds(turn.pause(at: clock.milliseconds, options)))
                }
            } catch let error as OutboxError where error.code == .leaseLost {
                if !isStopping { report(.init(.leaseLost, observer: observer, error.detail)) }
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
            try await handle(own(rows, held: due, &turn), attempts, &turn)
            return false
        }
        guard turn.progress.mayTakeNew else { return true }
        let page = try await pages.page(after: turn.progress.cursor, limit: options.pageSize, named: consumer.names)
        if page.end <= turn.progress.cursor {
            status.noteCaughtUp()
            return true
        }
        var works = PreparedRows(page.rows, consumer.prepare)
        works.keep(partition: partition, of: turn.partitions)
        if !works.rows.isEmpty { try await turn.session.confirm() }
        if try await handle(works, nil, &turn) { turn.progress.pass(to: page.end) }
        tell(&turn)
        return false
    }

    /// Drops rows of other partitions, which were held here because a program couldn't decode them.
    private func own(_ rows: [OutboxRow], held: [OutboxHeldRow], _ turn: inout Turn) -> PreparedRows {
        let unreadable = Set(held.lazy.filter { Partitions.isUnreadable($0.key) }.map(\.position))
        if turn.partitions == 1 || unreadable.isEmpty { return PreparedRows(rows, consumer.prepare) }
        let own = rows.filter { row in
            !unreadable.contains(row.position) || consumer.prepare(row).belongs(to: partition, of: turn.partitions)
        }
        for row in Set(rows).subtracting(own) { turn.progress.miss(row.position) }
        return PreparedRows(own, consumer.prepare)
    }

    @discardableResult
    func save(_ turn: inout Turn) async throws -> Set<Int64> {
        turn.savedAt = clock.milliseconds
        guard turn.progress.hasChanged || turn.isTimeToTouch(at: clock.milliseconds, options) else { return [] }
        let dropped = try await turn.session.save(turn.progress.change(wall: clock.wall, now: clock.milliseconds))
        turn.progress.noteSaved(dropped: dropped)
        status.note(savedCursor: turn.progress.savedCursor)
        turn.touchedAt = clock.milliseconds
        return dropped
    }

    private func storeFailed(_ error: any Error) async {
        let (isFirst, pause) = status.storeFailed("\(error)", options.pollInterval)
        if isFirst { report(.init(.storeFailed, observer: observer, "\(error)")) }
        await wait(atMost: pause)
    }

    private func wait(atMost limit: Duration) async {
        await signal.wait(within: limit, clock)
        signal.clear()
    }

    func storeWorks() {
        if status.storeWorks() { report(.init(.storeRecovered, observer: observer, "the store works again")) }
    }
}
