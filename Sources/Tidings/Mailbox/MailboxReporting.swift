// The events that monitors receive about a queue if none of them receives each notification in it: errors, drops, and
// lengths that deserve a warning. Nothing is measured for these events, and no element is marked.

/// The queue lengths that are reported to monitors that receive nothing else about the queue.
@usableFromInline
struct QueueLengths: Sendable {
    /// The lengths above which a monitor receives a warning, in ascending order.
    @usableFromInline var limits: [Int] = [] {
        didSet {
            if limits == oldValue { return }
            (least, next, most) = (limits.first ?? .max, limits.first.map { $0 + 1 } ?? .max, 0)
        }
    }

    /// The number of elements that a turn took out of the queue the last time.
    @usableFromInline var taken = 0

    /// The smallest limit, and the next length to report.
    @usableFromInline private(set) var least = Int.max
    private var next = Int.max

    /// The greatest length since the first report; 0 if there was none.
    private var most = 0

    @usableFromInline init() {}

    /// Records a length above the smallest limit. Returns whether to report it: the first time that the queue is that
    /// long, and whenever the length has doubled.
    @usableFromInline
    mutating func note(_ length: Int) -> Bool {
        most = max(most, length)
        guard length >= next else { return false }
        next = min(2 * length, limits.first { $0 >= length }.map { $0 + 1 } ?? .max)
        return true
    }

    /// Resets the lengths if the queue is short again. Returns the greatest length; `nil` if the queue isn't short, or
    /// wasn't long.
    mutating func recover(at length: Int) -> Int? {
        guard least < .max, length <= least / 2 else { return nil }
        next = least + 1
        defer { most = 0 }
        return most
    }
}

extension Mailbox {
    /// Puts an element into the mailbox that may have to be reported to monitors.
    @export(implementation)
    func putReported(_ element: Element, in scope: DeliveryScope, _ reporting: QueueReporting) {
        if reporting == .everything || monitorsHaveRun.load(ordering: .relaxed) && Monitoring.isCausing {
            return putMonitored(element, in: scope)
        }
        let (action, length) = state.withLock { state in
            let action = state.put(Queued(element, scope: scope))
            // Elements that were taken may have been handled since. The sum is then too large, and is checked again.
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

    /// The length of the queue, if it has to be reported to monitors. Inlined, because unspecialised code looks up
    /// types at run time.
    @export(implementation)
    func noteLength(_ state: inout MailboxState<Element>) -> Int? {
        let length = state.queue.count + inHand.count + state.retryingCount
        guard length > state.lengths.least, state.lengths.note(length) else { return nil }
        reporting.store(.recovery, ordering: .relaxed)
        return length
    }

    /// Reports to monitors what happened when an element was put in.
    @usableFromInline
    func tellTrouble(_ length: Int?, dropped: Int?, mayStart: Bool) {
        guard let reporter = state.withLock({ $0.reporter }) else { return }
        if let length { reporter.tell(waiting: length) }
        if let dropped { reporter.tell(dropped: dropped) }
        if mayStart { reporter.watchCalls() }
    }

    /// Reports to monitors that the queue is short again, if it is.
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
