public import Synchronization

/// The queue of one asynchronous observer: it takes what is put into it without waiting, and has it handled one at a time,
/// in order, wherever the observer runs.
///
/// Where that is, a mailbox does not know. When something is put into an empty one it tells its *runner*, which calls one
/// of the `run` methods until that returns false: in a task on the observer's actor, in an operation on a queue.
///
/// No lock is held while an observer runs, or while anything is released that a user made.
@usableFromInline
package final class Mailbox<Element: Sendable>: Sendable {
    /// Told when there is something to handle. It starts what calls `run` until that returns false, and does not wait.
    @usableFromInline package typealias Runner = @Sendable (Mailbox) -> Void

    @usableFromInline let state: Lock<MailboxState<Element>>
    @usableFromInline let cancelled = Atomic(false)

    /// Whether monitors want to know what becomes of elements.
    @usableFromInline let monitored = Atomic(false)

    /// How many elements were taken out to be handled, and are not yet; for ``status``.
    @usableFromInline let inHand = InHand()

    /// - Parameters:
    ///   - policy: What becomes of elements that arrive faster than they are handled.
    ///   - runner: Starts to handle them. It is let go when the mailbox has ended.
    @inlinable
    package init(buffering policy: BufferingPolicy = .unbounded, runner: @escaping Runner) {
        state = Lock(MailboxState(policy, runner: MailboxState.Runner(start: runner)))
    }

    deinit {
        // Only a runner that gave up has left something here.
        discard(state.withLock { $0.backlog.removeAll() })
    }

    /// How many elements the policy dropped.
    package var droppedCount: Int { state.withLock { $0.backlog.droppedCount } }

    /// Whether the policy lets nothing wait.
    @usableFromInline var keepsNothing: Bool { state.withLock { $0.backlog.policy.keepsNothing } }

    /// Whether the mailbox takes anything. When it does not, what is queued is the last.
    @inlinable var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Whether the mailbox was cancelled.
    @inlinable var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Puts an element into the mailbox. This never waits for the observer.
    @inlinable
    package func put(_ element: Element) {
        put(Queued(element, scope: .none))
    }

    @inlinable
    func put(_ element: Queued<Element>) {
        if monitored.load(ordering: .relaxed) { return putMonitored(element) }
        let (dropped, runner) = fill(with: element)
        if let dropped { discard(dropped) }
        if let runner { runner.start(self) }
    }

    /// Puts an element into the mailbox, for somebody who does the rest.
    ///
    /// - Returns: What was dropped or refused, and the runner if it is to be told.
    @inlinable
    func fill(with element: Queued<Element>) -> (dropped: Queued<Element>?, runner: MailboxState<Element>.Runner?) {
        state.withLock { $0.put(element) }
    }

    /// Ends the mailbox. What is queued is still handled.
    @usableFromInline
    package func finish() {
        let released = state.withLock { $0.finish() }
        _ = released
    }

    /// Ends the mailbox. What is queued is discarded, and no further call is made.
    @usableFromInline
    package func cancel() {
        cancelled.store(true, ordering: .releasing)
        let (discarded, released) = state.withLock { $0.cancel() }
        discard(discarded)
        _ = released
    }

    /// Moves what is to be handled next into an empty batch, and notes the call that handles it.
    ///
    /// - Returns: Whether there was anything.
    @inlinable
    func begin(_ call: Call?, with batch: inout Batch<Queued<Element>>) -> Bool {
        let (hasTaken, released) = state.withLock { state in
            let taken = state.take(into: &batch)
            if taken.hasTaken {
                state.call = call
                state.isRunning = true
                inHand.note(batch.count)
            }
            return taken
        }
        _ = released
        return hasTaken
    }

    /// Moves what is to be handled next into an empty batch, during a turn.
    @inlinable
    func refill(_ batch: inout Batch<Queued<Element>>) {
        // A new one, as the backlog gets the old one in exchange, and would keep the room for a burst for ever.
        batch = Batch()
        state.withLock { state in
            _ = state.backlog.take(into: &batch)
            inHand.note(batch.count)
        }
    }

    /// Notes that no call is running, and gives back what was not handled, or discards it if the mailbox was cancelled.
    @inlinable
    func end(_ call: Call?, returning rest: inout Batch<Queued<Element>>) {
        call?.end()
        discardIfCancelled(&rest)
        giveBack(&rest)
    }

    /// Discards what was not handled, if the mailbox was cancelled. It is not given back then: a bounded mailbox has
    /// refilled the batch while others wait, whose place it would take.
    @inlinable
    func discardIfCancelled(_ rest: inout Batch<Queued<Element>>) {
        if isCancelled { while let element = rest.next() { discard(element) } }
    }

    /// Notes that no call is running, and gives back what was not handled.
    @inlinable
    func giveBack(_ rest: inout Batch<Queued<Element>>) {
        let waiting = state.withLock { state in
            inHand.note(0)
            return state.endCall(returning: &rest)
        }
        // Cancelled a moment ago, before the rest was given back.
        if isCancelled { discard(state.withLock { $0.backlog.removeAll() }) }
        for continuation in waiting { continuation.resume() }
    }

    /// Tells the delivery that waits for an element that it is not handled.
    @inlinable
    func discard(_ element: Queued<Element>) {
        if !element.isPlain { discardMarked(element) }
    }

    @usableFromInline
    func discard(_ backlog: consuming Backlog<Queued<Element>>) {
        while let element = backlog.next() { discard(element) }
    }
}
