/// The monitoring data of queued elements, in slots. The ``Queued/mark`` of an element contains the index of its slot.
@usableFromInline
struct TraceTable: Sendable {
    @usableFromInline typealias Traced = (trace: QueueTrace, scope: DeliveryScope)

    private static var mostKept: Int { 4 }

    private var slots: [Traced?] = []
    private var free: [Int] = []

    @usableFromInline init() {}

    @usableFromInline
    mutating func insert(_ traced: Traced) -> Int {
        if let slot = free.popLast() {
            slots[slot] = traced
            return slot
        }
        slots.append(traced)
        return slots.count - 1
    }

    @usableFromInline
    func scope(_ slot: Int) -> DeliveryScope { slots[slot]?.scope ?? .none }

    @usableFromInline
    mutating func remove(_ slot: Int) -> Traced? {
        let traced = slots[slot].take()
        free.append(slot)
        // A few slots are kept. Most queues become empty after each notification, so the next one would allocate again.
        if free.count == slots.count, slots.count > Self.mostKept { self = TraceTable() }
        return traced
    }
}

// Inlined where the type of the elements is known, because unspecialized code looks up types at run time.
extension Mailbox {
    /// Queues an element, and reports it to monitors. `reporter` replaces the mailbox's reporter.
    @export(implementation)
    func putMonitored(_ element: Element, in scope: DeliveryScope, toldBy reporter: QueueReporter? = nil) {
        let announcement = announce(to: reporter)
        let action = fill(with: element, in: scope, announcement)
        perform(action)
        switch action {
        case .drop(_, let total, let runner, _):
            announcement.teller?.reporter.tell(dropped: total)
            if runner != nil { announcement.teller?.reporter.watchCalls() }
        case .start: announcement.teller?.reporter.watchCalls()
        case .none, .refuse: break
        }
    }

    /// Announces an element: reports to monitors that it is about to be queued, and counts it in `announcedCount`, so
    /// that concurrent announcements have different numbers. Call `fill` or `withdraw` next.
    @export(implementation)
    func announce(to other: QueueReporter? = nil) -> Announcement {
        let (teller, waiting, number) = state.withLock { state in
            let waiting = state.countAfterPut
            if waiting != nil { state.announcedCount += 1 }
            return (
                state.teller(other), waiting.map { $0 + inHand.count }, state.addedCount + state.announcedCount
            )
        }
        return Announcement(to: teller, waiting: waiting, number: number)
    }

    @export(implementation)
    func fill(
        with element: Element, in scope: DeliveryScope, _ announcement: Announcement
    ) -> MailboxState<Element>.PutAction {
        state.withLock { state in
            if announcement.isCounted { state.announcedCount -= 1 }
            guard let trace = announcement.trace else { return state.put(Queued(element, scope: scope)) }
            return state.put(Queued(element, slot: state.traces.insert((trace, scope))))
        }
    }

    func withdraw(_ announcement: Announcement) {
        if announcement.isCounted { state.withLock { $0.announcedCount -= 1 } }
    }

    @export(implementation)
    func takeTraced(_ slot: Int) -> TracedCall? {
        state.withLock { state in
            guard let traced = state.traces.remove(slot) else { return nil }
            return TracedCall(traced, toldBy: state.teller(traced.trace.reporter))
        }
    }

    /// Returns the trace of an element. An element that was queued before a monitor was attached gets its trace now.
    @export(implementation)
    func traced(_ queued: Queued<Element>) -> TracedCall? {
        let scope: DeliveryScope
        switch queued.mark {
        case .trace(let slot): return takeTraced(slot)
        case .none: scope = .none
        case .delivery(let waiting): scope = waiting
        }
        guard isMonitored, let teller = state.withLock({ $0.teller }) else { return nil }
        return QueueTrace(ofCallToldBy: teller).map { TracedCall(($0, scope), toldBy: teller) }
    }

    /// Makes a call, and reports it to the monitors before a delivery that waits for this call can end.
    @export(implementation)
    func performTraced(_ traced: TracedCall, _ call: Call, _ body: () -> CallEnd) -> CallEnd {
        func tracedBody() -> CallEnd {
            var end = CallEnd.handled
            _ = traced.trace.perform(toldBy: traced.teller, waiting: { waitingCount }) {
                end = body()
                return end.error
            }
            return end
        }
        return traced.scope == .none ? tracedBody() : CallContext.perform(call, in: traced.scope, tracedBody)
    }

    @export(implementation)
    func performTraced(
        _ traced: TracedCall, _ call: Call?, isolation: isolated (any Actor)?, _ body: () async -> CallEnd
    ) async -> CallEnd {
        func tracedBody() async -> CallEnd {
            var end = CallEnd.handled
            _ = await traced.trace.perform(toldBy: traced.teller, isolation: isolation, waiting: { waitingCount }) {
                end = await body()
                return end.error
            }
            return end
        }
        // If no delivery waits for the call, the task-local context that `run` has set is sufficient.
        guard let call, traced.scope != .none else { return await tracedBody() }
        return await CallContext.perform(call, in: traced.scope, isolation: isolation, tracedBody)
    }

    func tell(_ error: any Error) {
        if reporting.load(ordering: .relaxed) != .nothing { state.withLock { $0.reporter }?.tell(error) }
    }

    /// Reports that the consumer of a sequence has received an element. Returns the delivery that waits until the
    /// consumer has handled this element.
    @export(implementation)
    func tellTaken(_ element: Queued<Element>) -> DeliveryScope {
        switch element.mark {
        case .none: return .none
        case .delivery(let scope): return scope
        case .trace(let slot):
            guard let traced = takeTraced(slot) else { return .none }
            traced.trace.taken(toldBy: traced.teller, waiting: waitingCount)
            return traced.scope
        }
    }
}

extension Mailbox {
    @export(implementation)
    var waitingCount: Int { state.withLock { $0.queue.count + $0.retryingCount } + inHand.count }
}

extension MailboxState {
    @export(implementation)
    func teller(_ other: QueueReporter?) -> QueueTeller? {
        guard let other, let teller else { return teller }
        return QueueTeller(other, teller.monitors)
    }
}

extension Mailbox: ObserverQueue {
    @export(implementation)
    package var status: QueueStatus {
        state.withLock { state in
            let inHand = inHand.count
            return QueueStatus(
                queued: state.queue.count + inHand + state.retryingCount, dropped: state.droppedCount,
                isRunning: state.isRunning, calls: state.callStatus(inHand: inHand), failed: state.failedCount,
                retrying: state.retryingCount)
        }
    }

    @usableFromInline
    package func countDrops(with counter: DropCounter) { state.withLock { $0.drops = counter } }

    @usableFromInline
    package func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) {
        if !state.withLock({ $0.waitForHandling(of: wait, resume) }) { resume() }
    }

    @usableFromInline
    package func giveUp(_ wait: ObjectIdentifier) {
        _ = state.withLock { state in
            let given = state.handling
            state.handling.removeAll { $0.wait == wait }
            return given
        }
    }

    @usableFromInline
    package func report(to reporter: QueueReporter) {
        _ = state.withLock { state in
            let previous = state.teller
            // Read under the lock: if several threads call this method at once, the last one reads the latest monitors.
            let monitors = state.phase == .open ? reporter.monitors : nil
            let (told, limits) = monitors.map { reporter.reporting(to: $0) } ?? (.nothing, [])
            state.teller = monitors.map { QueueTeller(reporter, $0) }
            state.lengths.limits = limits
            reporting.store(told, ordering: .relaxed)
            return previous
        }
    }
}
