extension NativeNotificationCenter {
    /// Returns when everything that was posted before has been handled, or when the time is over.
    ///
    /// Waited for is what is queued for asynchronous observers, and the calls of them that are running; not what those post in turn.
    /// What the consumer of a sequence has taken is handled when it asks for more. Nothing is discarded and nothing ends: to end an
    /// observation without what waits for it, see ``NotificationToken/cancelAndDrain()``.
    ///
    /// ```swift
    /// let left = await center.drain(within: .seconds(1))
    /// for observer in left { print("still at it: \(observer.place), \(observer.queued) wait") }
    /// ```
    ///
    /// An observer that drains its own center waits for its own call in vain, until the time is over.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: The observations that had not handled everything, as they stand; none if all was handled.
    @discardableResult
    public func drain(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        let queues = queues
        let unfinished = await QueueDrain.drain(queues.map(\.queue), within: limit, clock: clock)
        if unfinished.isEmpty { return [] }
        let left = Set(unfinished.map { queues[$0].observer })
        return observations.filter { left.contains($0.id) }
    }
}

/// The wait until several queues have handled what was put into them before.
final class QueueDrain: Sendable {
    private struct State {
        /// The indices of the queues that have not handled everything.
        var pending: Set<Int>
        var isOver = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state: Lock<State>

    private init(_ count: Int) { state = Lock(State(pending: Set(0..<count))) }

    /// Waits until queues have handled what was put into them before, the time is over, or the task is cancelled.
    ///
    /// - Returns: The indices of the queues that had not.
    static func drain(
        _ queues: [any ObserverQueue], within limit: Duration, clock: any Clock<Duration>
    ) async -> Set<Int> {
        let drain = QueueDrain(queues.count)
        for (index, queue) in queues.enumerated() {
            queue.whenHandled { drain.change { $0.pending.remove(index) } }
        }
        let timer = Task.detached(priority: Task.currentPriority) {
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            drain.change { $0.isOver = true }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in drain.change { $0.continuation = continuation } }
        } onCancel: {
            drain.change { $0.isOver = true }
        }
        timer.cancel()
        return drain.state.withLock { $0.pending }
    }

    /// Changes the state, and then resumes the task that waits, if there is nothing more to wait for.
    private func change<Result>(_ change: (inout State) -> Result) {
        let continuation = state.withLock { state in
            _ = change(&state)
            return state.isOver || state.pending.isEmpty ? state.continuation.take() : nil
        }
        continuation?.resume()
    }
}
