/// The queue of one asynchronous observer: elements are put into it without waiting, and handled one at a time, in order,
/// where the observer runs.
///
/// A mailbox does not know where that is. When an element is put into an empty mailbox, it calls its *runner*, which calls one
/// of the `run` methods until that returns false: in a task on the observer's actor, in an operation on a queue.
///
/// What changes is a ``MailboxState`` under a lock: each method makes a step of it and performs, with the lock free, the action
/// that the step returns.
@usableFromInline
package final class Mailbox<Element: Sendable>: Sendable {
    /// Called when there is something to handle. It starts to call `run` until that returns false, and does not wait for it.
    @usableFromInline package typealias Runner = @Sendable (Mailbox) -> Void

    @export(implementation) let state: Lock<MailboxState<Element>>

    /// The observer, as receipts name it; `nil` if no delivery waits for its calls.
    @export(implementation) package let observer: DeliveryReceipt.Observer?

    /// Whether the observer wants an element, to be asked by those who wait for room; `nil` for every one.
    @export(implementation) let condition: (@Sendable (Element) -> Bool)?

    /// The policy of the state, to be read without the lock.
    @export(implementation) let policy: BufferingPolicy

    /// Whether the state is cancelled, to be read by a turn before each call without the lock.
    @usableFromInline let cancelled = AtomicByte(false)

    /// What the reporter of the state is told, to be read by each put without the lock.
    @usableFromInline let reporting = AtomicByte(QueueReporting.nothing)

    /// How many elements the turn has taken out and not handled yet.
    @export(implementation) let inHand = InHand()

    /// - Parameters:
    ///   - policy: What becomes of elements that arrive faster than they are handled.
    ///   - observer: The observer, as receipts name it.
    ///   - condition: Whether the observer wants an element; `nil` for every one.
    ///   - plan: How an element is handed again to an observer that has thrown an error; `nil` if it is not.
    ///   - ownership: The observer's tie to an owner, if it has one.
    ///   - runner: Starts to handle them. It is released when the mailbox has ended.
    @export(implementation)
    package init(
        buffering policy: BufferingPolicy = .unbounded, for observer: DeliveryReceipt.Observer? = nil,
        where condition: (@Sendable (Element) -> Bool)? = nil, retrying plan: RetryPlan? = nil,
        tiedBy ownership: Ownership? = nil, runner: @escaping Runner
    ) {
        policy.check()
        self.observer = observer
        self.condition = condition
        self.policy = policy
        state = Lock(
            MailboxState(policy, retrying: plan, runner: MailboxState.Runner(start: runner, tiedBy: ownership)))
    }

    deinit {
        // Elements still wait only if the observer was gone, or if they are those of a sequence that nothing read.
        perform(state.withLock { $0.cancel() })
    }

    /// How many elements the policy dropped.
    package var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Whether the mailbox takes anything. When it does not, what waits is the last.
    @export(implementation) var isOpen: Bool { state.withLock { $0.phase == .open } }

    /// Whether a turn is under way.
    @usableFromInline var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Whether the mailbox was cancelled.
    ///
    /// The acquiring load is paired with the releasing store in ``stop()``.
    @export(implementation) var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Whether monitors are told of calls.
    @export(implementation) var isMonitored: Bool { reporting.load(ordering: .relaxed) == .everything }

    // MARK: Ending

    /// Closes the mailbox. What waits is still handled.
    @usableFromInline
    package func finish() {
        let (released, admitted) = state.withLock { $0.finish() }
        resume(admitted)
        _ = released
    }

    /// Cancels the mailbox: what waits is discarded, and no further call is made.
    @usableFromInline
    package func cancel() { perform(stop()) }

    /// Cancels the mailbox, and leaves it to the caller to discard and release what was in it.
    ///
    /// - Returns: What to perform, once, when the caller holds no lock.
    @usableFromInline
    func stop() -> MailboxState<Element>.CancelAction {
        state.withLock { state in
            // Stored under the lock: a turn that sees it finds the state cancelled when it ends.
            cancelled.store(true, ordering: .releasing)
            return state.cancel()
        }
    }

    @usableFromInline
    func perform(_ action: MailboxState<Element>.CancelAction) {
        for timer in action.timers { timer.end() }
        discard(action.discarded)
        resume(action.handled)
    }

    /// Resumes what waits for elements that have been handled.
    @usableFromInline
    func resume(_ handled: [MailboxState<Element>.Handling]) {
        for handling in handled { handling.resume() }
    }

    /// Tells the delivery that waits for an element that it will not be handled.
    @export(implementation)
    func discard(_ element: Queued<Element>) {
        if !element.isPlain { discardMarked(element) }
    }

    /// Tells the deliveries that wait for elements that these will not be handled, as the mailbox has ended.
    @usableFromInline
    func discard(_ queue: consuming MailboxState<Element>.Queue) {
        // A delivery that waits for a sequence is told, by an error, that the consumer has not dealt with what it was given.
        let error = observer?.delivery == .sequence ? SequenceEnded() : nil
        while let element = queue.popFirst() {
            if !element.isPlain { discardMarked(element, error: error) }
        }
    }

    @usableFromInline
    func discardMarked(_ element: Queued<Element>, error: (any Error)? = nil) {
        let scope =
            switch element.mark {
            case .none: DeliveryScope.none
            case .delivery(let scope): scope
            case .trace(let slot): takeTraced(slot)?.scope ?? .none
            }
        if scope != .none { WaitGraph.discard(in: scope, mailbox: ObjectIdentifier(self), error: error) }
    }
}

// MARK: Waiting for calls

extension Mailbox {
    /// Returns when no call of the observer is running that was running when this was called.
    ///
    /// Called from inside that call, or from a task that inherits from it, this returns at once; and so it does if the wait
    /// would close a cycle, as that call waits for the caller.
    @usableFromInline
    package func drain() async {
        let caller = CallContext.current?.call
        guard let running = state.withLock({ $0.call }), running !== caller else { return }
        let node = WaitGraph.Node.mailbox(ObjectIdentifier(self))
        if let caller, !WaitGraph.update({ $0.beginDrain(caller, of: node) }) { return }
        await waitForEnd(of: running)
        if let caller { WaitGraph.update { $0.endWait(caller, for: node) } }
    }

    /// Returns when a call has ended, which it may have done a moment ago.
    func waitForEnd(of running: Call) async {
        await waitForEnd { $0.call === running }
    }

    /// Returns when the turn that is under way has ended, if there is one.
    @usableFromInline
    func waitForEndOfTurn() async {
        await waitForEnd { $0.isRunning }
    }

    private func waitForEnd(_ isRunning: @Sendable (borrowing MailboxState<Element>) -> Bool) async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                let mustWait = isRunning(state)
                if mustWait { state.waiting.append(continuation) }
                return mustWait
            }
            if !mustWait { continuation.resume() }
        }
    }
}
