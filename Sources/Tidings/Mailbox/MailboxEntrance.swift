/// Puts notifications into a mailbox. A center calls `receive` during the post. Releasing the entrance finishes the
/// mailbox.
@usableFromInline
package final class MailboxEntrance<Element: Sendable>: Sendable {
    @export(implementation) let mailbox: Mailbox<Element>
    @export(implementation) let ownership: Ownership?

    /// Creates an entrance. Normally, the code that handles queued elements detects that the owner has been
    /// deallocated. If the policy buffers nothing, that code never runs, so each post checks the owner.
    @export(implementation)
    package init(_ mailbox: Mailbox<Element>, tiedBy ownership: Ownership? = nil) {
        self.mailbox = mailbox
        self.ownership = mailbox.policy.keepsNothing ? ownership : nil
    }

    @export(implementation)
    func receive(_ element: Element) {
        if let ownership, !ownership.owner.isAlive { return ownership.end() }
        mailbox.put(element)
    }

    @export(implementation)
    deinit { mailbox.finish() }
}

extension Mailbox {
    /// Queues an element. Inside a `deliver`, the delivery waits until the element has been handled.
    @export(implementation)
    package func put(_ element: Element) {
        put(element, in: .enter(ObjectIdentifier(self), of: observer))
    }

    @export(implementation)
    func put(_ element: Element, in scope: DeliveryScope) {
        let reporting = reporting.load(ordering: .relaxed)
        if reporting != .nothing { return putReported(element, in: scope, reporting) }
        perform(state.withLock { $0.put(Queued(element, scope: scope)) })
    }

    @export(implementation)
    func perform(_ action: MailboxState<Element>.PutAction) {
        switch action {
        case .none: break
        case .start(let runner): runner.start(self)
        case .refuse(let element): discard(element)
        case .drop(let element, _, let runner, let timer):
            timer?.end()
            runner?.start(self)
            discard(element)
        }
    }
}

extension MailboxState {
    @usableFromInline
    enum PutAction: Sendable {
        case none
        case start(Runner)
        /// `total` is the number of drops so far. The caller has to call the runner and end the timer, if they exist.
        case drop(Queued<Element>, total: Int, starting: Runner?, ending: RetryTimer?)
        case refuse(Queued<Element>)
    }

    @export(implementation)
    mutating func put(_ element: Queued<Element>) -> PutAction {
        guard phase == .open else { return .refuse(element) }
        switch policy.admission(waiting: waitingCount) {
        case .append:
            append(element)
        case .dropNewest:
            noteDrop()
            return .drop(element, total: droppedCount, starting: nil, ending: nil)
        case .dropOldest:
            let oldest = popOldest()
            append(element)
            noteDrop()
            // An element with a timer waits for a retry, so the observer has already been called with it.
            if let oldest, oldest.1 == nil {
                droppedUncalledCount += 1
                progress.droppedSinceTaken += 1
            }
            // If all other elements were waiting for a retry, no call is scheduled yet for the appended element.
            let runner = schedule()
            return oldest.map { .drop($0.0, total: droppedCount, starting: runner, ending: $0.1) } ?? .none
        }
        return schedule().map { .start($0) } ?? .none
    }

    /// Schedules the calls. Returns the runner to call after the unlock; `nil` if the runner has been called already.
    @export(implementation)
    mutating func schedule() -> Runner? {
        if isScheduled { return nil }
        isScheduled = true
        progress.scheduledAt = CallProgress.now
        // Elements that wait for a retry are older, and their times are still needed.
        if retryingCount == 0 { arrivals.begin(addedCount, at: progress.scheduledAt) }
        return runner
    }

    @export(implementation)
    mutating func append(_ element: Queued<Element>) {
        queue.append(element)
        addedCount &+= 1
        if addedCount == arrivals.next { arrivals.note(addedCount, at: CallProgress.now, left: leftCount) }
        if !element.isPlain { noteAwaited(element) }
    }

    @export(implementation)
    mutating func noteAwaited(_ element: Queued<Element>) {
        let scope =
            switch element.mark {
            case .none: DeliveryScope.none
            case .delivery(let scope): scope
            case .trace(let slot): traces.scope(slot)
            }
        if scope != .none { addedWithLastAwaited = addedCount }
    }

    @export(implementation)
    mutating func noteDrop() {
        droppedCount += 1
        drops?.add()
    }

    /// The length of the queue after all announced elements and a new element have been queued; `nil` if the new
    /// element would be discarded. Announced elements have been reported to monitors, and aren't queued yet.
    @export(implementation) var countAfterPut: Int? {
        guard phase == .open else { return nil }
        return switch policy.admission(waiting: waitingCount + announcedCount) {
        case .append: queue.count + retryingCount + announcedCount + 1
        case .dropOldest: queue.count + retryingCount + policy.limit - waitingCount
        case .dropNewest: nil
        }
    }
}
