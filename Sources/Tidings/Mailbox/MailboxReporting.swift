// What monitors learn of a queue if none of them is told of each notification in it: errors, drops, and lengths that are worth a warning.
// Nothing is measured for that, and no element is marked.

/// The lengths of a queue of which monitors are told that are told nothing else of it.
@usableFromInline
struct QueueLengths: Sendable {
    /// The lengths above which a monitor is warned, the least first.
    @usableFromInline var limits: [Int] = [] {
        didSet {
            if limits == oldValue { return }
            (least, next, most) = (limits.first ?? .max, limits.first.map { $0 + 1 } ?? .max, 0)
        }
    }

    /// How many elements a turn had taken out of the queue as it took some the last time.
    @usableFromInline var taken = 0

    /// The least limit, and the length that is told next.
    @usableFromInline private(set) var least = Int.max
    private var next = Int.max

    /// The greatest length since it was told first; 0 if none was.
    private var most = 0

    @usableFromInline init() {}

    /// Notes a length above the least limit.
    ///
    /// - Returns: Whether it is to be told: it was not as long before, or half as long when it was told the last time.
    @usableFromInline
    mutating func note(_ length: Int) -> Bool {
        most = max(most, length)
        guard length >= next else { return false }
        next = min(2 * length, limits.first { $0 >= length }.map { $0 + 1 } ?? .max)
        return true
    }

    /// Begins anew, if the queue is short again.
    ///
    /// - Returns: How long it was at most; `nil` if it is not short, or was not long.
    mutating func recover(at length: Int) -> Int? {
        guard least < .max, length <= least / 2 else { return nil }
        next = least + 1
        defer { most = 0 }
        return most
    }
}

extension Mailbox {
    /// Puts an element into the mailbox, of which monitors may have to be told.
    @export(implementation)
    func putReported(_ element: Element, in scope: DeliveryScope, _ reporting: QueueReporting) {
        if reporting == .everything || monitorsHaveRun.load(ordering: .relaxed) && Monitoring.isCausing {
            return putMonitored(element, in: scope)
        }
        let (action, length) = state.withLock { state in
            let action = state.put(Queued(element, scope: scope))
            // What was taken may have been handled since: then the sum is too large, and is looked at again.
            let mayBeLong = state.queue.count + state.lengths.taken > state.lengths.least
            return (action, mayBeLong ? noteLength(&state) : nil)
        }
        perform(action)
        switch action {
        case .none, .refuse: break
        case .start: tellTrouble(length, dropped: nil, mayStart: true)
        case .drop(_, let total, let runner, _): tellTrouble(length, dropped: total, mayStart: runner != nil)
        }
        if case .none = action, let length { tellTrouble(length, dropped: nil, mayStart: false) }
    }

    /// How many elements wait, if monitors are to be told of that. Inlined, as code that is generic at run time looks types up.
    @export(implementation)
    func noteLength(_ state: inout MailboxState<Element>) -> Int? {
        let length = state.queue.count + inHand.count + state.retryingCount
        guard length > state.lengths.least, state.lengths.note(length) else { return nil }
        reporting.store(.recovery, ordering: .relaxed)
        return length
    }

    /// Tells monitors what happened as an element was put in.
    @usableFromInline
    func tellTrouble(_ length: Int?, dropped: Int?, mayStart: Bool) {
        guard let reporter = state.withLock({ $0.reporter }) else { return }
        if let length { reporter.tell(waiting: length) }
        if let dropped { reporter.tell(dropped: dropped) }
        if mayStart { reporter.watchCalls() }
    }

    /// Tells monitors that the queue is short again, if it is.
    @usableFromInline
    func tellIfRecovered() {
        let told = state.withLock { state -> (reporter: QueueReporter, length: Int, most: Int)? in
            let length = state.queue.count + inHand.count + state.retryingCount
            guard let reporter = state.reporter, let most = state.lengths.recover(at: length) else { return nil }
            reporting.store(.trouble, ordering: .relaxed)
            return (reporter, length, most)
        }
        if let told { told.reporter.tell(recoveredAt: told.length, most: told.most) }
    }
}
