import Synchronization

extension Mailbox {
    @usableFromInline
    package func follow(_ watcher: QueueWatcher) {
        // What was there is released after the lock.
        let previous = state.withLock { state in
            let previous = state.watcher
            // Looked at under the lock, so that whoever is last leaves what is true.
            let isMonitored = watcher.isActive && state.isOpen
            state.watcher = isMonitored ? watcher : nil
            monitored.store(isMonitored, ordering: .relaxed)
            return previous
        }
        _ = previous
    }

    /// Puts an element into the mailbox, and tells the monitors.
    @usableFromInline
    func putMonitored(_ element: Queued<Element>) {
        let arrival = announce(in: element.scope)
        let (dropped, runner, total) = fill(with: element, arrival)
        if let dropped { discard(dropped) }
        if let total { arrival.teller?.tell(dropped: total) }
        runner?.start(self)
    }

    /// Tells the monitors that something will wait: before it does, as it may be handled at once.
    ///
    /// - Parameter scope: The delivery that waits for it.
    /// - Returns: What to put into the mailbox with it.
    func announce(in scope: DeliveryScope) -> Arrival {
        let (watcher, waiting) = state.withLock { state in
            let room = state.isOpen ? state.backlog.countAfterAppending : nil
            return (state.watcher, room.map { $0 + inHand.count })
        }
        let trace = watcher?.trace(scope: scope)
        let arrival = Arrival(trace: trace, teller: trace?.isCausedByMonitor == false ? watcher : nil)
        if let waiting { arrival.teller?.tell(waiting: waiting) }
        return arrival
    }

    /// Puts an element that was announced into the mailbox, for somebody who does the rest.
    ///
    /// - Returns: What was dropped or refused, the runner if it is to be told, and how many the policy has dropped if one more.
    func fill(
        with element: Queued<Element>, _ arrival: Arrival
    ) -> (dropped: Queued<Element>?, runner: MailboxState<Element>.Runner?, total: Int?) {
        state.withLock { state in
            let before = state.backlog.droppedCount
            let queued = arrival.trace.map { Queued(element.element, slot: state.traces.insert($0)) } ?? element
            let (dropped, runner) = state.put(queued)
            let total = state.backlog.droppedCount
            return (dropped, runner, total > before ? total : nil)
        }
    }

    /// Takes what monitors know of an element.
    func takeTrace(of element: Queued<Element>) -> QueueTrace? {
        guard let slot = element.slot else { return nil }
        return state.withLock { $0.traces.remove(slot) }
    }

    /// Calls the observer with an element that a delivery waits for, or monitors.
    @usableFromInline
    func perform(_ element: Queued<Element>, _ call: Call, _ observer: (Element) -> Void) {
        let trace = takeTrace(of: element)
        let scope = trace?.scope ?? element.scope
        func body() {
            guard let trace else { return observer(element.element) }
            trace.perform(waiting: { status.queued }, { observer(element.element) })
        }
        // The delivery ends last: who waits for it may want to see what monitors were told.
        if scope == .none { body() } else { CallContext.perform(call, in: scope, body) }
    }

    /// Calls an observer that may be suspended with an element that monitors know.
    @usableFromInline
    func performTraced(
        _ element: Queued<Element>, _ call: Call, isolation: isolated (any Actor)?,
        _ observer: @isolated(any) @Sendable (Element) async -> Void
    ) async {
        guard let trace = takeTrace(of: element) else { return }
        let isOnMainActor = isolation === MainActor.shared
        await CallContext.perform(call, in: trace.scope, isolation: isolation) {
            await trace.perform(isOnMainActor: isOnMainActor, waiting: { status.queued }) {
                await observer(element.element)
            }
        }
    }

    /// Tells the monitors that the consumer of a sequence has taken an element.
    @usableFromInline
    func taken(_ element: Queued<Element>) {
        takeTrace(of: element)?.taken(waiting: status.queued)
    }

    /// Tells whoever waits for an element that it is not handled.
    @usableFromInline
    func discardMarked(_ element: Queued<Element>) {
        let scope = takeTrace(of: element)?.scope ?? element.scope
        if scope != .none { WaitGraph.discard(in: scope, mailbox: ObjectIdentifier(self)) }
    }
}
