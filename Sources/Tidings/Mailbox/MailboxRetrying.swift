// An element that is retried waits outside the queue, with a timer of its own. When its delay has passed, the element
// is handled before the queued elements. `deliver` and `drain(within:)` also wait for such an element.

extension Mailbox {
    /// Ends a call that threw. If it is traced, the trace reports the error. `respond` isn't called before a retry.
    @usableFromInline
    func end(
        _ queued: Queued<Element>, _ traced: TracedCall? = nil, throwing error: any Error,
        onFailure respond: ((any Error) -> Void)?
    ) -> CallEnd {
        if let (plan, attempt) = putAside(queued, traced) {
            let error = RetriedError(error: error, retry: plan.retry(after: attempt))
            if traced == nil { tell(error) }
            return .repeated(error, endsTurn: plan.keepsOrder)
        }
        state.withLock { $0.noteFailure() }
        // The error is reported first, because nothing is reported once the response has ended the observation.
        if traced == nil { tell(error) }
        respond?(error)
        return .failed(error)
    }

    /// Stores an element for its retry; returns `nil` if it isn't retried. `attempt` is the number of its calls so far.
    private func putAside(_ queued: Queued<Element>, _ traced: TracedCall?) -> (RetryPlan, attempt: Int)? {
        // The limit is checked and the element added in one step. Otherwise another element could arrive in between.
        let waiting = state.withLock { state -> (RetryPlan, Retries<Element>.Called, RetryTimer)? in
            guard let (plan, called) = state.reserveRetry(inHand: inHand.count) else { return nil }
            let queued = traced.map { Queued(queued.element, slot: state.traces.insert($0.traced)) } ?? queued
            let timer = RetryTimer()
            state.retries?.add(.init(queued: queued, number: called.number, timer: timer), after: called.calls)
            return (plan, called, timer)
        }
        guard let (plan, called, timer) = waiting else { return nil }
        measure(plan.delays[called.calls], on: plan.clock, by: timer, for: called.number)
        return (plan, called.calls + 1)
    }

    /// The timer retains the mailbox, so that queued elements are handled even if nothing else retains the mailbox.
    private func measure<C: Clock<Duration>>(_ delay: Duration, on clock: C, by timer: RetryTimer, for number: Int) {
        wait(until: clock.now.advanced(by: delay), on: clock, by: timer, for: number)
    }

    /// Retries an element at the deadline. Until then, checks every second whether the owner has been deallocated,
    /// which otherwise only the next post would detect.
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

    private var ownership: Ownership? { state.withLock { $0.runner?.ownership } }

    private func retry(_ number: Int) {
        state.withLock { $0.noteDue(number) }?.start(self)
    }
}

extension MailboxState {
    @export(implementation) var retryingCount: Int { retries == nil ? 0 : countRetries() }

    @usableFromInline
    func countRetries() -> Int { retries?.count ?? 0 }

    /// The number of elements that count towards the limit of the policy. If the order is kept, only one element waits
    /// for a retry, and it counts as the one that the observer is handling.
    @export(implementation) var waitingCount: Int { retries == nil ? queue.count : queue.count + countLimitedRetries() }

    @usableFromInline
    func countLimitedRetries() -> Int { retries.map { $0.plan.keepsOrder ? 0 : $0.count } ?? 0 }

    /// Removes the oldest element. If the element was waiting for a retry, the caller has to end the returned timer.
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

    /// Moves the next elements into the batch, which has to be empty. An element whose retry is due comes first.
    @usableFromInline
    mutating func takeAgain(into batch: inout Queue) {
        retries?.called = nil
        if let next = retries?.takeDue() { return batch.append(next) }
        if retries?.blocks == true { return }
        if policy == .unbounded { return queue.moveStack(to: &batch) }
        guard let next = queue.popFirst() else { return }
        batch.append(next)
        // The number can't be determined after the call, because the queue may have dropped elements in the meantime.
        retries?.called = .init(number: addedCount - queue.count, calls: 0)
    }

    /// Puts back an element that was taken for a retry. Returns `false` if the batch has no such element.
    @usableFromInline
    mutating func giveBackRetry(_ rest: inout Queue) -> Bool {
        guard let taken = retries?.called, taken.calls > 0, let queued = rest.popFirst() else { return false }
        retries?.giveBack(queued, taken)
        return true
    }

    @usableFromInline var canGoOn: Bool {
        guard let retries else { return !queue.isEmpty }
        return retries.hasDue || !retries.blocks && !queue.isEmpty
    }

    /// Returns whether a retry blocks the queue. If so, no turn begins until the delay of the retry has passed.
    @usableFromInline
    mutating func pause() -> Bool {
        let isPaused = retries?.blocks == true
        retries?.isPaused = isPaused
        return isPaused
    }

    /// Prepares the retry of an element. Returns `nil` if the element isn't retried. `inHand` is the number of later
    /// elements in the batch.
    mutating func reserveRetry(inHand: Int) -> (RetryPlan, Retries<Element>.Called)? {
        guard let plan = retries?.plan, phase != .cancelled else { return nil }
        let called = retries?.called ?? .init(number: addedCount - queue.count - inHand, calls: 0)
        retries?.called = nil
        if !plan.keepsOrder, policy.admission(waiting: waitingCount) != .append { return nil }
        return retries?.allows(called) == true ? (plan, called) : nil
    }

    /// Records that a retry is due. Returns the runner to call; `nil` if a turn is running or scheduled, or if the
    /// element no longer waits.
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

    mutating func discardRetries(into discarded: inout Queue) -> [RetryTimer] {
        var timers: [RetryTimer] = []
        while let next = retries?.takeOldest() {
            discarded.append(next.queued)
            timers.append(next.timer)
        }
        return timers
    }
}
