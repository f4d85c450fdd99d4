/// The progress of a session, with what is known of the time.
struct Turn {
    let session: any ObserverSession
    var progress: ObserverProgress
    var savedAt: Int64
    var touchedAt: Int64
    private var lookedAt: Int64
    /// The last position that a program that was interrupted may have handled.
    private let repeatedUpTo: Int64
    /// How many rows it may have handled.
    private var repeatedCount: Int
    /// Whether a call has not come to its end.
    var wasInterrupted = false

    init(_ session: any ObserverSession, _ progress: ObserverProgress, now: Int64, pageSize: Int) {
        self.session = session
        self.progress = progress
        savedAt = now
        touchedAt = now
        lookedAt = now
        let saved = session.beginning
        repeatedUpTo = saved.wasInterrupted ? saved.newest : Int64.min
        repeatedCount = saved.wasInterrupted ? pageSize : 0
    }

    /// Whether a row is one of those that an interrupted program may have handled: one page behind the cursor that it saved.
    /// What is held is not counted, as it is tried in another order.
    mutating func mayBeRepeated(_ position: Int64, isHeld: Bool) -> Bool {
        if isHeld { return position <= repeatedUpTo }
        guard repeatedCount > 0, position <= repeatedUpTo else { return false }
        repeatedCount -= 1
        return true
    }

    /// Whether something is left of what may have been handled before: also what an earlier program has handled, and this one has not
    /// come to.
    var leavesRepeated: Bool {
        wasInterrupted || progress.holds(upTo: repeatedUpTo) || repeatedCount > 0 && progress.cursor < repeatedUpTo
    }

    func isTimeToSave(at now: Int64, _ options: OutboxOptions) -> Bool {
        if progress.unsavedCount >= options.pageSize { return true }
        if progress.isWorthSaving { return now - savedAt >= options.saveInterval.milliseconds }
        return progress.hasChanged && now - savedAt >= 1000 || isTimeToTouch(at: now, options)
    }

    /// The store is told that the observer is run, so that it is not taken for abandoned.
    func isTimeToTouch(at now: Int64, _ options: OutboxOptions) -> Bool {
        now - touchedAt >= min(3_600_000, options.abandonedAfter.milliseconds / 4)
    }

    mutating func isTimeToLook(at now: Int64, _ options: OutboxOptions) -> Bool {
        guard now - lookedAt >= options.pollInterval.milliseconds else { return false }
        lookedAt = now
        return true
    }

    /// How long there is nothing to do unless something is stored.
    func pause(at now: Int64, _ options: OutboxOptions) -> Int64 {
        var end = now + options.pollInterval.milliseconds
        if progress.isWorthSaving { end = min(end, savedAt + options.saveInterval.milliseconds) }
        if let due = progress.nextDue { end = min(end, due) }
        return max(1, end - now)
    }
}
