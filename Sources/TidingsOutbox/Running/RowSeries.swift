import Tidings

/// Rows that an observer gets one after the other, without a wait for another thread between two of them.
///
/// Where the delivery of one has ended, on the observer's thread as a rule, that of the next is begun: so the observer finds it before its
/// turn is over. The first that fails, a stop, and the end of the series' time are the end of it: what is behind has not been posted.
final class RowSeries: Sendable {
    /// How many rows a series has at most.
    static let limit = 64

    private struct State {
        var outcomes: [RowConsumer.Outcome] = []
        /// Whether a thread is in ``begin(_:)``, and goes on there if a delivery ends meanwhile.
        var isBeginning = false
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let deliveries: [(row: OutboxRow, begin: RowConsumer.Begin)]
    private let status: RunnerStatus
    private let clock: ElapsedClock
    private let end: Int64
    private let state = Lock(State())

    /// - Parameters:
    ///   - deliveries: The rows, each with what begins its delivery; one at least.
    ///   - status: Where it is noted with which row the observer is busy.
    ///   - clock: The clock of the outbox.
    ///   - time: After how many milliseconds no further delivery is begun.
    init(
        _ deliveries: [(row: OutboxRow, begin: RowConsumer.Begin)], _ status: RunnerStatus, _ clock: ElapsedClock,
        within time: Int64
    ) {
        self.deliveries = deliveries
        self.status = status
        self.clock = clock
        end = clock.milliseconds + time
    }

    /// Begins with the first.
    func begin() { begin(0) }

    /// Waits for the end.
    ///
    /// - Returns: How the first rows ended: all, or those up to the last that was delivered.
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

    /// Begins a delivery, and those behind it as long as they end before this has returned: one that no condition wants has ended at once.
    private func begin(_ first: Int) {
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
        let isLast = index + 1 == deliveries.count || !outcome.isDone || status.isStopping || clock.milliseconds >= end
        let (isNext, waiting) = state.withLock { state in
            state.outcomes.append(outcome)
            state.isOver = isLast
            return (!isLast && !state.isBeginning, isLast ? state.waiting.take() : nil)
        }
        waiting?.resume()
        if isNext { begin(index + 1) }
    }
}

extension RowConsumer.Outcome {
    fileprivate var isDone: Bool {
        if case .done = self { true } else { false }
    }
}
