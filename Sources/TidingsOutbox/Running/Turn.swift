/// The progress of a session, with what is known of the time.
struct Turn {
    let session: any OutboxObserverSession
    var progress: ObserverProgress
    var savedAt: Int64
    var touchedAt: Int64
    /// The last position that a program that was interrupted may have handled.
    private let repeatedUpTo: Int64
    /// How many rows it may have handled, beside those up to ``countedUpTo``.
    private var repeatedCount: Int
    /// The last row that was counted as one of them. It is counted once, also if a series ends before it.
    private var countedUpTo = Int64.min
    /// How many rows a series has. Twice as many as were handled the last time, as long as none failed
    /// and none took long.
    private var seriesLength = 1
    /// Whether a call has not come to its end.
    var wasInterrupted = false

    init(_ session: any OutboxObserverSession, _ progress: ObserverProgress, now: Int64, pageSize: Int) {
        self.session = session
        self.progress = progress
        savedAt = now
        touchedAt = now
        let saved = session.beginning
        repeatedUpTo = saved.wasInterrupted ? saved.newest : Int64.min
        repeatedCount = saved.wasInterrupted ? pageSize : 0
    }

    /// Whether a row is one of those that an interrupted program may have handled: one page behind the cursor that it saved.
    /// What is held is not counted, as it is tried in another order.
    mutating func mayBeRepeated(_ position: Int64, isHeld: Bool) -> Bool {
        if isHeld { return position <= repeatedUpTo }
        if position <= countedUpTo { return true }
        guard repeatedCount > 0, position <= repeatedUpTo else { return false }
        repeatedCount -= 1
        countedUpTo = position
        return true
    }

    /// Whether something is left of what may have been handled before: also what an earlier program has handled, and this one has not
    /// come to.
    var leavesRepeated: Bool {
        mutating get {
            wasInterrupted || progress.holds(upTo: repeatedUpTo) || progress.cursor < countedUpTo
                || repeatedCount > 0 && progress.cursor < repeatedUpTo
        }
    }

    /// How many rows the next series has at most. No more than may be handled until progress has to be saved.
    func seriesLength(_ options: OutboxOptions) -> Int {
        max(1, min(seriesLength, options.pageSize - progress.unsavedCount))
    }

    /// After how many milliseconds a series begins no further delivery: well before progress is to be saved.
    func seriesTime(_ options: OutboxOptions) -> Int64 { max(1, options.saveInterval.milliseconds / 10) }

    mutating func seriesEnded(of count: Int, handled: Int) {
        seriesLength = handled < count ? max(1, handled) : min(RowSeries.limit, max(seriesLength, 2 * count))
    }

    /// How long it may go unsaved that rows were passed over, in milliseconds. They cannot be removed until then.
    private static let passingTime: Int64 = 1_000

    func isTimeToSave(at now: Int64, _ options: OutboxOptions) -> Bool {
        if progress.unsavedCount >= options.pageSize { return true }
        if progress.isWorthSaving { return now - savedAt >= options.saveInterval.milliseconds }
        return progress.hasChanged && now - savedAt >= Self.passingTime || isTimeToTouch(at: now, options)
    }

    /// The store is told that the observer is run, so that it is not taken for abandoned.
    func isTimeToTouch(at now: Int64, _ options: OutboxOptions) -> Bool { now >= touchTime(options) }

    private func touchTime(_ options: OutboxOptions) -> Int64 {
        touchedAt + min(3_600_000, options.abandonedAfter.milliseconds / 4)
    }

    /// How long there is nothing to do unless the observer is woken.
    mutating func pause(at now: Int64, _ options: OutboxOptions) -> Int64 {
        var end = touchTime(options)
        if progress.isWorthSaving { end = min(end, savedAt + options.saveInterval.milliseconds) }
        if progress.hasChanged { end = min(end, savedAt + Self.passingTime) }
        if let due = progress.nextDue(at: now) { end = min(end, due) }
        return max(1, end - now)
    }
}
