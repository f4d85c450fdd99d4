// An element whose call threw an error, and that is to be handed to the observer again, waits beside the queue, with a timer of its own.
// When its time has come it is the first that a turn takes. As long as it waits it counts as one that has not been handled: a `deliver`
// waits for it, and so does a drain.

extension Mailbox {
    /// Decides what becomes of an element whose call threw an error.
    ///
    /// - Parameters:
    ///   - queued: The element.
    ///   - traced: What monitors know of it.
    ///   - error: The error.
    ///   - respond: Called with the error, unless the observer is called again with the element.
    /// - Returns: How the call has ended.
    @usableFromInline
    func end(
        _ queued: Queued<Element>, _ traced: TracedCall? = nil, throwing error: any Error,
        onFailure respond: ((any Error) -> Void)?
    ) -> CallEnd {
        if let plan = putAside(queued, traced) { return .repeated(error, endsTurn: plan.keepsOrder) }
        state.withLock { $0.noteFailure() }
        respond?(error)
        return .failed(error)
    }

    /// Has an element wait until it is handed to the observer again.
    ///
    /// - Returns: The plan; `nil` if the observer is not called with it again.
    private func putAside(_ queued: Queued<Element>, _ traced: TracedCall?) -> RetryPlan? {
        // A single step: an element that arrived between two would find the limit reached, and nothing there to drop.
        let waiting = state.withLock { state -> (RetryPlan, Retries<Element>.Called, RetryTimer)? in
            guard let (plan, called) = state.reserveRetry(inHand: inHand.count) else { return nil }
            let queued = traced.map { Queued(queued.element, slot: state.traces.insert($0.traced)) } ?? queued
            let timer = RetryTimer()
            state.retries?.add(.init(queued: queued, number: called.number, timer: timer), after: called.calls)
            return (plan, called, timer)
        }
        guard let (plan, called, timer) = waiting else { return nil }
        measure(plan.delays[called.calls], on: plan.clock, by: timer, for: called.number)
        return plan
    }

    /// Begins to measure how long an element waits. It holds the mailbox, as a turn does: what waits is handled also if nobody else
    /// holds it.
    private func measure<C: Clock<Duration>>(_ delay: Duration, on clock: C, by timer: RetryTimer, for number: Int) {
        wait(until: clock.now.advanced(by: delay), on: clock, by: timer, for: number)
    }

    /// Waits until an element is handed to the observer again. Where the observer has an owner, this looks each second whether that is
    /// gone, as nothing else does before the next post.
    private func wait<C: Clock<Duration>>(
        until deadline: C.Instant, on clock: C, by timer: RetryTimer, for number: Int
    ) {
        let look = clock.now.advanced(by: .seconds(1))
        if look >= deadline || ownership == nil {
            return timer.start(until: deadline, clock) { self.retry(number) }
        }
        timer.start(until: look, clock) {
            guard let ownership = self.ownership, !ownership.owner.isAlive else {
                return self.wait(until: deadline, on: clock, by: timer, for: number)
            }
            ownership.end()
        }
    }

    /// The observer's tie to its owner; `nil` if it has none, or has ended.
    private var ownership: Ownership? { state.withLock { $0.runner?.ownership } }

    /// Has a turn begin, as an element is to be handed to the observer again.
    private func retry(_ number: Int) {
        state.withLock { $0.noteDue(number) }?.start(self)
    }
}

extension MailboxState {
    /// How many elements wait until they are handed to the observer again.
    @export(implementation) var retryingCount: Int { retries == nil ? 0 : countRetries() }

    @usableFromInline
    func countRetries() -> Int { retries?.count ?? 0 }

    /// How many elements count against the limit of the policy. While the order is kept one waits to be handed to the observer again,
    /// which counts as the one that the observer is working on.
    @export(implementation) var waitingCount: Int { retries == nil ? queue.count : queue.count + countLimitedRetries() }

    @usableFromInline
    func countLimitedRetries() -> Int { retries.map { $0.plan.keepsOrder ? 0 : $0.count } ?? 0 }

    /// Takes out the oldest element that waits, to drop it.
    ///
    /// - Returns: The element, and the timer of one that waits to be handed to the observer again, to be ended.
    @export(implementation)
    mutating func popOldest() -> (Queued<Element>, RetryTimer?)? {
        if retries != nil, let oldest = popOldestRetry() { return oldest }
        return queue.popFirst().map { ($0, nil) }
    }

    @usableFromInline
    mutating func popOldestRetry() -> (Queued<Element>, RetryTimer?)? {
        guard retries?.plan.keepsOrder == false, let oldest = retries?.takeOldest() else { return nil }
        return (oldest.queued, oldest.timer)
    }

    /// Moves what is handled next into an empty batch: an element whose time has come to be handed to the observer again, or what the
    /// queue has, unless that has to wait for such an element.
    @usableFromInline
    mutating func takeAgain(into batch: inout Queue) {
        retries?.called = nil
        if let next = retries?.takeDue() { return batch.append(next) }
        if retries?.blocks == true { return }
        if policy == .unbounded { return queue.moveStack(to: &batch) }
        if let next = queue.popFirst() { batch.append(next) }
    }

    /// Takes back an element that was to be handed to the observer again, and was not: it stays in the line from which it came, and the
    /// calls that it has had count.
    ///
    /// - Parameter rest: What a turn gives back.
    /// - Returns: Whether it was such an element, which is then alone.
    @usableFromInline
    mutating func giveBackRetry(_ rest: inout Queue) -> Bool {
        guard let taken = retries?.called, let queued = rest.popFirst() else { return false }
        retries?.giveBack(queued, taken)
        return true
    }

    /// Whether a turn would find something to handle.
    @usableFromInline var canGoOn: Bool {
        guard let retries else { return !queue.isEmpty }
        return retries.hasDue || !retries.blocks && !queue.isEmpty
    }

    /// Notes that turns end until the time of an element has come, if the others have to wait for it.
    ///
    /// - Returns: Whether they do.
    @usableFromInline
    mutating func pause() -> Bool {
        let isPaused = retries?.blocks == true
        retries?.isPaused = isPaused
        return isPaused
    }

    /// Looks whether an element can wait until it is handed to the observer again.
    ///
    /// - Parameter inHand: How many elements the turn has taken out behind it.
    /// - Returns: The plan, and how often the element was called; `nil` if it is not called again.
    mutating func reserveRetry(inHand: Int) -> (RetryPlan, Retries<Element>.Called)? {
        guard let plan = retries?.plan, phase != .cancelled else { return nil }
        let called = retries?.called ?? .init(number: addedCount - queue.count - inHand, calls: 0)
        retries?.called = nil
        if !plan.keepsOrder, policy.admission(waiting: waitingCount) != .append { return nil }
        return retries?.allows(called) == true ? (plan, called) : nil
    }

    /// Notes that the time has come of an element.
    ///
    /// - Returns: The runner, to be called; `nil` if a turn is under way or has been asked for.
    mutating func noteDue(_ number: Int) -> Runner? {
        if phase == .cancelled || retries?.noteDue(number) != true { return nil }
        if isScheduled, retries?.isPaused == false { return nil }
        retries?.isPaused = false
        isScheduled = false
        return schedule()
    }

    mutating func noteFailure() {
        failedCount += 1
        drops?.addFailure()
    }

    /// Moves the elements that wait until they are handed to the observer again to those that are discarded.
    ///
    /// - Returns: Their timers.
    mutating func discardRetries(into discarded: inout Queue) -> [RetryTimer] {
        var timers: [RetryTimer] = []
        while let next = retries?.takeOldest() {
            discarded.append(next.queued)
            timers.append(next.timer)
        }
        return timers
    }
}
