/// The queue of one asynchronous observer. Elements are put into it without waiting, and handled one at a time, in
/// order, on the actor, queue or task of the observer.
///
/// When an element is put into an idle mailbox, the mailbox calls its *runner*. The runner starts a task on the
/// observer's actor or an operation on a queue, which calls one of the `run` methods until that method returns `false`.
@usableFromInline
package final class Mailbox<Element: Sendable>: Sendable {
    /// Schedules calls of `run`, and returns without waiting for them.
    @usableFromInline package typealias Runner = @Sendable (Mailbox) -> Void

    @export(implementation) let state: Lock<MailboxState<Element>>

    /// The observer as named in receipts; `nil` if deliveries never wait for the observer's calls.
    @export(implementation) package let observer: DeliveryReceipt.Observer?

    @export(implementation) let policy: BufferingPolicy

    /// Whether the mailbox is cancelled. This value is read before each call, without the lock.
    @usableFromInline let cancelled = AtomicByte(false)

    /// The kinds of events to report to monitors. This value is read whenever an element is queued, without the lock.
    @usableFromInline let reporting = AtomicByte(QueueReporting.nothing)

    @export(implementation) let inHand = InHand()

    @export(implementation)
    package init(
        buffering policy: BufferingPolicy = .unbounded, for observer: DeliveryReceipt.Observer? = nil,
        where condition: (@Sendable (Element) -> Bool)? = nil, retrying plan: RetryPlan? = nil,
        tiedBy ownership: Ownership? = nil, runner: @escaping Runner
    ) {
        policy.check()
        self.observer = observer
        self.policy = policy
        let runner = MailboxState<Element>.Runner(start: runner, tiedBy: ownership)
        state = Lock(MailboxState(policy, where: condition, retrying: plan, runner: runner))
    }

    deinit {
        perform(state.withLock { $0.cancel() })
    }

    package var droppedCount: Int { state.withLock { $0.droppedCount } }

    @export(implementation) var isOpen: Bool { state.withLock { $0.phase == .open } }

    @usableFromInline var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Whether the mailbox is cancelled. The acquiring load pairs with the releasing store in ``stop()``.
    @export(implementation) var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    @export(implementation) var isMonitored: Bool { reporting.load(ordering: .relaxed) == .everything }

    /// Stops accepting elements. Queued elements are still handled.
    @usableFromInline
    package func finish() {
        let (released, admitted) = state.withLock { $0.finish() }
        resume(admitted)
        _ = released
    }

    /// Stops accepting elements, and discards queued ones. No further call is made.
    @usableFromInline
    package func cancel() { perform(stop()) }

    /// Cancels the mailbox without calling other code. The caller performs the returned action once, holding no lock.
    @usableFromInline
    func stop() -> MailboxState<Element>.CancelAction {
        state.withLock { state in
            // The value is stored under the lock. So if `run` reads `true`, it finds the state cancelled when it ends.
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

    @usableFromInline
    func resume(_ handled: [MailboxState<Element>.Handling]) {
        for handling in handled { handling.resume() }
    }

    @export(implementation)
    func discard(_ element: Queued<Element>) {
        if !element.isPlain { discardMarked(element) }
    }

    @usableFromInline
    func discard(_ queue: consuming MailboxState<Element>.Queue) {
        // A delivery that waits for a sequence gets an error, because no consumer has handled the element.
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

extension Mailbox {
    /// Waits until the running call ends, unless the caller belongs to that call, or that call waits for the caller.
    package func drain() async {
        let caller = CallContext.current?.call
        guard let running = state.withLock({ $0.call }), running !== caller else { return }
        let node = WaitGraph.Node.mailbox(ObjectIdentifier(self))
        if let caller, !WaitGraph.update({ $0.beginDrain(caller, of: node) }) { return }
        await waitForEnd(of: running)
        if let caller { WaitGraph.update { $0.endWait(caller, for: node) } }
    }

    func waitForEnd(of running: Call) async {
        await waitForEnd { $0.call === running }
    }

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
