/// Delivers rows one after another. When a delivery ends, usually on the observer's thread, the next one starts on the
/// same thread. A failure, a stop, or a time limit ends the series, and the remaining rows aren't delivered.
final class RowSeries: Sendable {
    static let limit = 64

    private struct State {
        var outcomes: [RowConsumer.Outcome] = []
        /// Whether a thread is in ``begin(_:)``. If a delivery ends meanwhile, that thread starts the next one.
        var isBeginning = false
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let deliveries: [(row: OutboxRow, begin: RowConsumer.Begin)]
    private let status: RunnerStatus
    private let clock: ElapsedClock
    private let end: Int64
    private let state = Lock(State())

    /// `deliveries` must not be empty. After `time` milliseconds, no further delivery starts.
    init(
        _ deliveries: [(row: OutboxRow, begin: RowConsumer.Begin)], _ status: RunnerStatus, _ clock: ElapsedClock,
        within time: Int64
    ) {
        self.deliveries = deliveries
        self.status = status
        self.clock = clock
        end = clock.milliseconds + time
    }

    func outcomes() async -> [RowConsumer.Outcome] {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { $0.outcomes }
    }

    /// Starts a delivery. If it ends at once, for example because `where:` rejects it, the loop starts the next one.
    func begin(_ first: Int = 0) {
        var isNext = true
        for index in first..<deliveries.count where isNext {
            state.withLock { $0.isBeginning = true }
            let (row, begin) = deliveries[index]
            status.begin(row, at: clock.milliseconds, age: clock.wall - row.storedAt)
            begin { self.note($0, of: index) }
            isNext = state.withLock { state in
                state.isBeginning = false
                return !state.isOver && state.outcomes.count > index
            }
        }
    }

    private func note(_ outcome: RowConsumer.Outcome, of index: Int) {
        status.endCall()
        let isDone = if case .done = outcome { true } else { false }
        let isLast = index + 1 == deliveries.count || !isDone || status.isStopping || clock.milliseconds >= end
        let (isNext, waiting) = state.withLock { state in
            state.outcomes.append(outcome)
            state.isOver = isLast
            return (!isLast && !state.isBeginning, isLast ? state.waiting.take() : nil)
        }
        waiting?.resume()
        if isNext { begin(index + 1) }
    }
}
