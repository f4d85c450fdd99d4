@usableFromInline
struct QueueLengths: Sendable {
    @usableFromInline var limits: [Int] = [] {
        didSet {
            if limits == oldValue { return }
            least = limits.min() ?? .max
            (next, most) = (least < .max ? least + 1 : .max, 0)
        }
    }

    @usableFromInline var taken = 0
    @usableFromInline private(set) var least = Int.max
    private var next = Int.max
    private var most = 0

    @usableFromInline init() {}

    /// Returns whether to report a length: it exceeds a limit for the first time or has doubled since the last report.
    @usableFromInline
    mutating func note(_ length: Int) -> Bool {
        most = max(most, length)
        guard length >= next else { return false }
        next = min(2 * length, limits.filter { $0 >= length }.min().map { $0 + 1 } ?? .max)
        return true
    }

    /// Resets the lengths and returns the greatest one if the queue is short again; otherwise returns `nil`.
    mutating func recover(at length: Int) -> Int? {
        guard least < .max, length <= least / 2 else { return nil }
        next = least + 1
        defer { most = 0 }
        return most
    }
}

extension Mailbox {
    @export(implementation)
    func putReported(_ element: Element, in scope: DeliveryScope, _ reporting: QueueReporting) {
        if reporting == .everything || monitorsHaveRun.load(ordering: .relaxed) && Monitoring.isCausing {
            return putMonitored(element, in: scope)
        }
        let (action, length) = state.withLock { state in
            let action = state.put(Queued(element, scope: scope))
            // The sum includes elements that the turn has already handled, so `noteLength` determines the exact length.
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

    /// Returns the length to report, if any. Inlined, because unspecialized code looks up types at run time.
    @export(implementation)
    func noteLength(_ state: inout MailboxState<Element>) -> Int? {
        let length = state.queue.count + inHand.count + state.retryingCount
        guard length > state.lengths.least, state.lengths.note(length) else { return nil }
        reporting.store(.recovery, ordering: .relaxed)
        return length
    }

    @usableFromInline
    func tellTrouble(_ length: Int?, dropped: Int?, mayStart: Bool) {
        guard let reporter = state.withLock({ $0.reporter }) else { return }
        if let length { reporter.tell(waiting: length) }
        if let dropped { reporter.tell(dropped: dropped) }
        if mayStart { reporter.watchCalls() }
    }

    @usableFromInline
    func tellIfRecovered() {
        let told = state.withLock { state -> (reporter: QueueReporter, most: Int)? in
            let length = state.queue.count + inHand.count + state.retryingCount
            guard let reporter = state.reporter, let most = state.lengths.recover(at: length) else { return nil }
            reporting.store(.trouble, ordering: .relaxed)
            return (reporter, most)
        }
        guard let told else { return }
        // The length is read again for each monitor, because the queue may have become long in the meantime.
        told.reporter.tell(
            recoveredAt: { self.state.withLock { $0.queue.count + self.inHand.count + $0.retryingCount } },
            most: told.most)
    }
}
