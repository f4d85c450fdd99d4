public import Synchronization

/// The queue of one asynchronous observer: it takes notifications without waiting, and has them handled one at a time, in
/// order, wherever the observer runs.
///
/// Where that is, a mailbox does not know. When its backlog begins to fill it tells its *runner*, which calls one of the
/// `run` methods until one returns false: in a task on the observer's actor, in an operation on a queue.
///
/// No lock is held while an observer runs, or while anything is released that a user made.
@usableFromInline
package final class Mailbox<Element: Sendable>: Sendable {
    /// Told when a backlog begins to fill. It starts something that calls `run` until that returns false.
    @usableFromInline package typealias Runner = @Sendable (Mailbox) -> Void

    @usableFromInline
    struct State {
        @usableFromInline var backlog: Backlog<Element>
        @usableFromInline var isOpen = true
        /// Whether the runner was told, and no `run` has yet found the backlog empty.
        @usableFromInline var isScheduled = false
        /// The call that is running, and who waits for its end.
        @usableFromInline var call: Call?
        @usableFromInline var waiting: [CheckedContinuation<Void, Never>] = []
        /// Let go when the mailbox has ended, with whatever the observer captured.
        @usableFromInline var runner: RunnerBox?

        @inlinable
        init(policy: BufferingPolicy, runner: RunnerBox) {
            backlog = Backlog(policy)
            self.runner = runner
        }
    }

    /// Kept in a struct: a bare closure read out of a generic container is wrapped in a thunk at each access.
    @usableFromInline
    struct RunnerBox {
        @usableFromInline let start: Runner
        @inlinable init(start: @escaping Runner) { self.start = start }
    }

    @usableFromInline let state: Lock<State>
    @usableFromInline let cancelled = Atomic(false)

    @inlinable
    package init(buffering policy: BufferingPolicy = .unbounded, runner: @escaping Runner) {
        state = Lock(State(policy: policy, runner: RunnerBox(start: runner)))
    }

    /// How many elements the policy dropped.
    @inlinable package var droppedCount: Int { state.withLock { $0.backlog.droppedCount } }

    /// Whether the mailbox was cancelled.
    @inlinable package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Puts an element into the mailbox. This never waits for the observer.
    @inlinable
    package func put(_ element: Element) {
        let (dropped, runner) = state.withLock { state -> (Element?, RunnerBox?) in
            guard state.isOpen else { return (nil, nil) }
            let dropped = state.backlog.append(element)
            if state.isScheduled || state.backlog.isEmpty { return (dropped, nil) }
            state.isScheduled = true
            return (dropped, state.runner)
        }
        _ = dropped
        runner?.start(self)
    }

    /// Ends the mailbox and discards what is queued.
    @inlinable
    package func cancel() {
        cancelled.store(true, ordering: .releasing)
        let released = state.withLock { state in
            state.isOpen = false
            return (state.backlog.removeAll(), state.runner.take())
        }
        _ = released
    }

    /// Ends the mailbox; what is queued is still handled.
    @inlinable
    package func finish() {
        let runner = state.withLock { state in
            state.isOpen = false
            return state.isScheduled ? nil : state.runner.take()
        }
        _ = runner
    }

    /// Returns when no call of the observer is running.
    @inlinable
    package func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.call == nil { return true }
                state.waiting.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Moves what is to be handled next into an empty batch, and notes the call that handles it.
    ///
    /// - Returns: Whether there was anything. If not, the runner is told again when there is.
    @inlinable
    func begin(_ call: Call, with batch: inout Batch<Element>) -> Bool {
        let (hasMore, runner) = state.withLock { state -> (Bool, RunnerBox?) in
            if state.backlog.take(into: &batch) {
                state.call = call
                return (true, nil)
            }
            state.isScheduled = false
            state.backlog.shrink()
            return (false, state.isOpen ? nil : state.runner.take())
        }
        _ = runner
        return hasMore
    }

    /// Moves the next element into an empty batch while a call is running, if the policy hands them out one by one.
    @inlinable
    func refill(_ batch: inout Batch<Element>) {
        state.withLock { state in
            if state.backlog.isBounded { _ = state.backlog.take(into: &batch) }
        }
    }

    /// Notes that no call is running, and gives back what was not handled.
    @inlinable
    func end(_ rest: inout Batch<Element>) {
        let waiting = state.withLock { state in
            if !isCancelled, !rest.isEmpty { state.backlog.putBack(&rest) }
            state.call = nil
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
