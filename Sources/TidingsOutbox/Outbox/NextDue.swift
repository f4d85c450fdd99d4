import Tidings

/// Ends the pause between two housekeeping passes when the next scheduled notification is due.
final class NextDue: Sendable {
    private struct State {
        /// In milliseconds of the clock.
        var due: Int64?
        /// The number of notifications that were scheduled here.
        var count = 0
    }

    /// In milliseconds. Many due times close to each other don't become a loop of queries.
    private static let shortestPause: Int64 = 100

    private let clock: ElapsedClock
    private let state = Lock(State())
    private let changed = Flag()

    init(_ clock: ElapsedClock) { self.clock = clock }

    var count: Int { state.withLock { $0.count } }

    /// Records the time until the next notification is due, as the store has reported it.
    ///
    /// - Parameters:
    ///   - time: The time, or `nil` if nothing is scheduled.
    ///   - count: The ``count`` before the query, whose result may lack notifications that were scheduled since.
    func set(_ time: Duration?, since count: Int) {
        let new = time.map { clock.milliseconds + $0.milliseconds }
        state.withLock { state in
            state.due = state.count == count ? new : [state.due, new].compactMap { $0 }.min()
        }
    }

    /// Records that a notification was scheduled that is due after a time.
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

    /// Returns when the interval is over or a notification is due.
    func pause(atMost interval: Duration) async {
        let (began, interval) = (clock.milliseconds, max(1, interval.milliseconds))
        while !Task.isCancelled {
            changed.clear()
            let due = state.withLock { $0.due }
            let end = min(began + interval, max(due ?? .max, began + Self.shortestPause))
            let left = end - clock.milliseconds
            // If the store fails, it isn't queried again for this notification before the interval is over.
            if left <= 0 { return state.withLock { if $0.due == due { $0.due = nil } } }
            await changed.wait(within: .milliseconds(left), clock)
        }
    }
}
