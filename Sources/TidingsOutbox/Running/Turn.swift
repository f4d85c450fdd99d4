/// The state of a runner while it holds the lease of its partition.
struct Turn {
    let session: any OutboxObserverSession
    var progress: ObserverProgress
    var savedAt: Int64
    var touchedAt: Int64
    /// The last position that an interrupted program may have handled.
    private let repeatedUpTo: Int64
    /// The number of rows after `countedUpTo` that the interrupted program may have handled: initially one page. The
    /// store doesn't record that program's page size, so this program's page size must be at least as large.
    private var repeatedCount: Int
    /// The last row that was subtracted from `repeatedCount`, so that no row is subtracted twice.
    private var countedUpTo = Int64.min
    /// The maximum length of the next series, which doubles with each series unless a row fails or takes long.
    private var seriesLength = 1
    var wasInterrupted = false

    var partitions: Int { session.beginning.partitions }

    init(_ session: any OutboxObserverSession, _ progress: ObserverProgress, now: Int64, pageSize: Int) {
        self.session = session
        self.progress = progress
        savedAt = now
        touchedAt = now
        let saved = session.beginning
        repeatedUpTo = saved.wasInterrupted ? saved.newest : Int64.min
        repeatedCount = saved.wasInterrupted ? pageSize : 0
    }

    /// Whether an interrupted program may have handled a row. That program has handled at most one page of rows after
    /// its saved cursor. Held rows don't count towards the page, because they are retried in another order.
    mutating func mayBeRepeated(_ position: Int64, isHeld: Bool) -> Bool {
        if isHeld { return position <= repeatedUpTo }
        if position <= countedUpTo { return true }
        guard repeatedCount > 0, position <= repeatedUpTo else { return false }
        repeatedCount -= 1
        countedUpTo = position
        return true
    }

    /// Whether this session leaves rows that this program, or an earlier one, may have handled without saving progress.
    var leavesRepeated: Bool {
        mutating get {
            wasInterrupted || !progress.uncounted.isEmpty || progress.holds(upTo: repeatedUpTo)
                || progress.cursor < countedUpTo || repeatedCount > 0 && progress.cursor < repeatedUpTo
        }
    }

    /// Returns the maximum length of the next series. At most one page of rows is unsaved at a time.
    func seriesLength(_ options: OutboxOptions) -> Int {
        max(1, min(seriesLength, options.pageSize - progress.unsavedCount))
    }

    /// The number of milliseconds after which a series starts no further delivery, well before progress is saved.
    func seriesTime(_ options: OutboxOptions) -> Int64 { max(1, options.saveInterval.milliseconds / 10) }

    mutating func seriesEnded(of count: Int, handled: Int) {
        seriesLength = handled < count ? max(1, handled) : min(RowSeries.limit, max(seriesLength, 2 * count))
    }

    /// After this many milliseconds, a cursor that only skipped rows is saved. The store keeps the rows until then.
    private static let passingTime: Int64 = 1_000

    func isTimeToSave(at now: Int64, _ options: OutboxOptions) -> Bool {
        if progress.unsavedCount >= options.pageSize { return true }
        if progress.isWorthSaving { return now - savedAt >= options.saveInterval.milliseconds }
        return progress.hasChanged && now - savedAt >= Self.passingTime || isTimeToTouch(at: now, options)
    }

    /// Whether to save even without changes, so that the observer doesn't become abandoned.
    func isTimeToTouch(at now: Int64, _ options: OutboxOptions) -> Bool { now >= touchTime(options) }

    private func touchTime(_ options: OutboxOptions) -> Int64 {
        touchedAt + min(3_600_000, options.abandonedAfter.milliseconds / 4)
    }

    /// Returns the number of milliseconds for which there is nothing to do unless the runner is woken.
    mutating func pause(at now: Int64, _ options: OutboxOptions) -> Int64 {
        var end = touchTime(options)
        if progress.isWorthSaving { end = min(end, savedAt + options.saveInterval.milliseconds) }
        if progress.hasChanged { end = min(end, savedAt + Self.passingTime) }
        if let due = progress.nextDue(at: now) { end = min(end, due) }
        return max(1, end - now)
    }
}
