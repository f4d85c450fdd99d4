/// What changes in a manual clock. Each step returns what is to be resumed when the lock is free.
struct ManualClockState {
    private(set) var now = ManualClock.Instant()
    private(set) var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var deadlines: [Int: ManualClock.Instant] = [:]
    private var cancelled: Set<Int> = []
    private var lastID = 0

    /// Those who wait until so many sleep.
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Moves on.
    ///
    /// - Returns: Those whose time has come, the earliest first.
    mutating func advance(by duration: Duration) -> [CheckedContinuation<Void, any Error>] {
        now = now.advanced(by: duration)
        let due = deadlines.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return due.compactMap { wake($0.key) }
    }

    /// Puts a task to sleep.
    ///
    /// - Returns: How the sleep has ended, if it has, and who waited for one more sleeper.
    mutating func sleep(
        _ id: Int, until deadline: ManualClock.Instant, _ continuation: CheckedContinuation<Void, any Error>
    ) -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) {
        if cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
        if deadline <= now { return (.success(()), []) }
        sleepers[id] = continuation
        deadlines[id] = deadline
        let content = waiting.filter { $0.count <= sleepers.count }
        waiting.removeAll { $0.count <= sleepers.count }
        return (nil, content.map(\.continuation))
    }

    /// Ends a sleep, also one that is about to begin.
    ///
    /// - Returns: The task that slept.
    mutating func cancel(_ id: Int) -> CheckedContinuation<Void, any Error>? {
        let sleeper = wake(id)
        if sleeper == nil { cancelled.insert(id) }
        return sleeper
    }

    private mutating func wake(_ id: Int) -> CheckedContinuation<Void, any Error>? {
        deadlines[id] = nil
        return sleepers.removeValue(forKey: id)
    }
}
