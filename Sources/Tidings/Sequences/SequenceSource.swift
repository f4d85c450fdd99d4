/// Passes notifications from observers to a sequence. Only the observers' closures hold this object, and when they have
/// all been released, the sequence ends.
@usableFromInline
final class SequenceEntrance<Element: Sendable>: Sendable {
    @export(implementation) let source: SequenceSource<Element>

    @export(implementation)
    init(_ source: SequenceSource<Element>) { self.source = source }

    @export(implementation)
    deinit { source.finish() }

    @export(implementation)
    func receive(_ element: Element) { source.put(element) }
}

/// The source of a sequence's elements. Each iterator has its own mailbox, which is a queue. The mailbox of the first
/// iterator always exists, and receives elements without a lock on `state`.
@usableFromInline
final class SequenceSource<Element: Sendable>: Sendable {
    private struct State: ~Copyable {
        /// Used only with back pressure. Released when the observation ends, with everything that it captures.
        var condition: (@Sendable (Element) -> Bool)?
        var hasFirst = false
        var others: [SequenceLine<Element>] = []
        var isOpen = true
        var droppedCount = 0
        var reporter: QueueReporter?
        var drops: DropCounter?
    }

    private let policy: BufferingPolicy
    private let observer: DeliveryReceipt.Observer
    private let state: Lock<State>
    @export(implementation) let first: SequenceLine<Element>

    /// Each call of `put` reads this flag without the lock. The acquiring load in `put` pairs with the releasing store
    /// in `makeLine`, so that an iterator receives the posts that are made after its creation.
    @usableFromInline let hasOthers = AtomicByte(false)

    @usableFromInline
    init(
        buffering policy: BufferingPolicy, where condition: (@Sendable (Element) -> Bool)? = nil, _ place: SourcePlace
    ) {
        self.policy = policy
        let hasRoom = if case .backPressure = policy { true } else { false }
        state = Lock(State(condition: hasRoom ? condition : nil))
        observer = DeliveryReceipt.Observer(of: Element.self, .sequence, from: place)
        first = SequenceLine(buffering: policy, for: observer)
    }

    /// Adds an element to the mailboxes. Only a relay of `TidingsRelay` waits until the consumer has handled the
    /// element. A call of `deliver` doesn't wait, because the consumer may never request the next element.
    @export(implementation)
    func put(_ element: Element) {
        if sequencesAreAwaited.load(ordering: .relaxed), AwaitedSequences.areThere {
            return putAwaited(element, toldBy: nil)
        }
        first.mailbox.put(element, in: .none)
        if hasOthers.load(ordering: .acquiring) { putToOthers(element) }
    }

    @usableFromInline
    func putToOthers(_ element: Element) {
        for line in state.withLock({ $0.others }) { line.mailbox.put(element, in: .none) }
    }

    func put(_ element: Element, toldBy reporter: QueueReporter?) {
        if reporter == nil { put(element) } else { putAwaited(element, toldBy: reporter) }
    }

    @usableFromInline
    func putAwaited(_ element: Element, toldBy reporter: QueueReporter?) {
        let mailboxes = ([first] + state.withLock({ $0.others })).map(\.mailbox)
        let type = type(of: element as Any)
        for mailbox in mailboxes {
            let scope = DeliveryScope.enterSequence(ObjectIdentifier(mailbox), type, of: observer)
            if scope != .none, !mailboxes.contains(where: \.isOpen) {
                // All iterators have been released or have ended, and later iterators begin with later elements.
                WaitGraph.discard(in: scope, mailbox: ObjectIdentifier(mailbox), error: SequenceEnded())
            } else if let reporter {
                mailbox.putMonitored(element, in: scope, toldBy: reporter)
            } else {
                mailbox.put(element, in: scope)
            }
        }
    }

    var isMonitored: Bool { first.mailbox.isMonitored }

    func makeLine() -> SequenceLine<Element> {
        let (line, reporter) = state.withLock { state in
            if !state.hasFirst {
                state.hasFirst = true
                return (first, state.reporter)
            }
            let line = SequenceLine<Element>(buffering: policy, for: observer)
            if let drops = state.drops { line.mailbox.countDrops(with: drops) }
            if state.isOpen {
                state.others.append(line)
                hasOthers.store(true, ordering: .releasing)
            } else {
                line.mailbox.finish()
            }
            return (line, state.reporter)
        }
        if let reporter { line.mailbox.report(to: reporter) }
        return line
    }

    func remove(_ mailbox: Mailbox<Element>) {
        mailbox.cancel()
        state.withLock { state in
            guard let index = state.others.firstIndex(where: { $0.mailbox === mailbox }) else { return }
            state.others.remove(at: index)
            state.droppedCount += mailbox.droppedCount
            if state.others.isEmpty { hasOthers.store(false, ordering: .releasing) }
        }
    }

    @usableFromInline
    func finish() {
        // The condition is released after the unlock.
        let (lines, condition) = state.withLock { state in
            state.isOpen = false
            return (state.others + [first], state.condition.take())
        }
        for line in lines {
            line.mailbox.finish()
            line.wakeUp.raise()
        }
        _ = condition
    }
}

extension SequenceSource: RoomQueue {
    package func roomKeepers(for element: Any) -> [any RoomKeeper] {
        guard case .backPressure = policy, let element = element as? Element else { return [] }
        if let condition = state.withLock({ $0.condition }), !condition(element) { return [] }
        return state.withLock { $0.others + [first] }.flatMap { $0.mailbox.roomKeepers(for: element) }
    }
}

extension SequenceSource: ObserverQueue {
    @usableFromInline var status: QueueStatus {
        let (others, dropped) = state.withLock { ($0.others, $0.droppedCount) }
        let all = [first.mailbox.status] + others.map(\.mailbox.status)
        // The status is that of the slowest iterator: the one with the longest queue or, of several, the one that has
        // taken the fewest elements. No running call is included, because a consumer isn't called.
        let slowest = all.max { ($0.queued, -$0.calls.begun) < ($1.queued, -$1.calls.begun) } ?? QueueStatus()
        var calls = CallStatus()
        calls.left = slowest.calls.left
        calls.begun = slowest.calls.begun
        calls.oldestWait = slowest.calls.oldestWait
        calls.called = slowest.calls.called
        return QueueStatus(
            queued: slowest.queued, dropped: all.reduce(dropped) { $0 + $1.dropped }, isRunning: false, calls: calls)
    }

    @usableFromInline
    func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) {
        let lines = state.withLock { $0.others + [first] }
        let pending = Lock(lines.count)
        for line in lines {
            line.mailbox.whenHandled(for: wait) {
                let isLast = pending.withLock { pending in
                    pending -= 1
                    return pending == 0
                }
                if isLast { resume() }
            }
        }
    }

    @usableFromInline
    func giveUp(_ wait: ObjectIdentifier) {
        for line in state.withLock({ $0.others + [first] }) { line.mailbox.giveUp(wait) }
    }

    @usableFromInline
    func cancel() { finish() }

    @usableFromInline
    func countDrops(with counter: DropCounter) {
        let others: [SequenceLine<Element>]? = state.withLock { state in
            if state.drops != nil { return nil }
            state.drops = counter
            return state.others
        }
        guard let others else { return }
        for line in [first] + others { line.mailbox.countDrops(with: counter) }
    }

    @usableFromInline
    func report(to reporter: QueueReporter) {
        let (others, previous) = state.withLock { state in
            let previous = state.reporter
            state.reporter = reporter
            return (state.others, previous)
        }
        for line in [first] + others { line.mailbox.report(to: reporter) }
        _ = previous
    }
}
