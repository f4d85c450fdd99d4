// How an element comes into a mailbox: the entrance, which a center calls in the post, the mailbox's put, and the step of its
// state.

/// The way into a mailbox, which only a center holds: when the center lets go of it, the mailbox is closed.
@usableFromInline
package final class MailboxEntrance<Element: Sendable>: Sendable {
    @export(implementation) let mailbox: Mailbox<Element>

    /// Ends the observation if a post finds the owner dead; `nil` if that is left to the turns.
    @export(implementation) let ownership: Ownership?

    /// - Parameters:
    ///   - mailbox: The mailbox.
    ///   - ownership: The observer's tie to an owner, if it has one. Where nothing ever waits there is no turn that could find
    ///     the owner dead, so each element looks.
    @export(implementation)
    package init(_ mailbox: Mailbox<Element>, tiedBy ownership: Ownership? = nil) {
        self.mailbox = mailbox
        self.ownership = mailbox.policy.keepsNothing ? ownership : nil
    }

    /// Puts an element into the mailbox, as the observer that a center calls in the post.
    @export(implementation)
    func receive(_ element: Element) {
        if let ownership, !ownership.owner.isAlive { return ownership.end() }
        mailbox.put(element)
    }

    @export(implementation)
    deinit { mailbox.finish() }
}

extension Mailbox {
    /// Puts an element into the mailbox, as part of the delivery to which the caller belongs. This never waits for the
    /// observer.
    @export(implementation)
    package func put(_ element: Element) {
        put(element, in: .enter(ObjectIdentifier(self), of: observer))
    }

    /// Puts an element into the mailbox, as part of a delivery or of none.
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
        /// The element waits, and a turn is under way that will meet it.
        case none
        /// Calls the runner.
        case start(Runner)
        /// Discards an element that the policy dropped, so many in all, calls the runner, if the element that takes its place has
        /// to have a turn begin, and ends the timer of one that was to be handed to the observer again.
        case drop(Queued<Element>, total: Int, starting: Runner?, ending: RetryTimer?)
        /// Discards the element itself, as the mailbox has ended.
        case refuse(Queued<Element>)
    }

    /// Adds an element, if the policy has room for it.
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
            // If the oldest was in the queue, the runner was called. If it waited to be handed to the observer again, perhaps not.
            let runner = schedule()
            return oldest.map { .drop($0.0, total: droppedCount, starting: runner, ending: $0.1) } ?? .none
        }
        return schedule().map { .start($0) } ?? .none
    }

    /// Notes that the runner is called.
    ///
    /// - Returns: The runner; `nil` if it was called before.
    @export(implementation)
    mutating func schedule() -> Runner? {
        if isScheduled { return nil }
        isScheduled = true
        progress.scheduledAt = CallProgress.now
        arrivals.begin(addedCount, at: progress.scheduledAt)
        return runner
    }

    @export(implementation)
    mutating func append(_ element: Queued<Element>) {
        queue.append(element)
        addedCount &+= 1
        if addedCount == arrivals.next { arrivals.note(addedCount, at: CallProgress.now, left: progress.leftBefore) }
        if !element.isPlain { noteAwaited(element) }
    }

    /// Notes that a delivery waits for the last element, if one does.
    @usableFromInline
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

    /// How many elements will wait when one more has arrived after those that are announced; `nil` if it will be discarded itself.
    @export(implementation) var countAfterPut: Int? {
        guard phase == .open else { return nil }
        return switch policy.admission(waiting: waitingCount + announcedCount) {
        case .append: queue.count + retryingCount + announcedCount + 1
        case .dropOldest: queue.count + retryingCount + policy.limit - waitingCount
        case .dropNewest: nil
        }
    }
}
