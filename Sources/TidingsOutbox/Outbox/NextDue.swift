final class NextDue: Sendable {
    /// The minimum time between queries, in milliseconds, even if many rows are due in a short time.
    private static let shortestPause: Int64 = 100

    private let clock: ElapsedClock
    /// `due` is in milliseconds of the clock.
    private let state = Lock((due: Int64?.none, count: 0))
    private let changed = Flag()

    init(_ clock: ElapsedClock) { self.clock = clock }

    var count: Int { state.withLock { $0.count } }

    /// Sets the time until the next row is due. `count` is the value of ``count`` before the query that returned
    /// `time`. If the value has changed since, the query may have missed a row.
    func set(_ time: Duration?, since count: Int) {
        let new = time.map { clock.milliseconds + $0.milliseconds }
        state.withLock { state in state.due = state.count == count ? new : [state.due, new].compactMap { $0 }.min() }
    }

    func add(_ time: Duration) {
        let new = clock.milliseconds + time.milliseconds
        let isSooner = state.withLock { state in
            state.count += 1
            guard new < state.due ?? .max else { return false }
            state.due = new
            return true
        }
        if isSooner { changed.set() }
    }

    func pause(atMost interval: Duration) async {
        let (began, interval) = (clock.milliseconds, max(1, interval.milliseconds))
        while !Task.isCancelled {
            changed.clear()
            let due = state.withLock { $0.due }
            let end = min(began + interval, max(due ?? .max, began + Self.shortestPause))
            let left = end - clock.milliseconds
            // `due` is cleared, so that a failing store isn't queried again before the interval is over.
            if left <= 0 { return state.withLock { if $0.due == due { $0.due = nil } } }
            await changed.wait(within: .milliseconds(left), clock)
        }
    }
}
