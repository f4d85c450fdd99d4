/// What changes in a mailbox: a state machine that does nothing itself.
///
/// Each step is made under the mailbox's lock and returns an action, which the mailbox performs when the lock is free: it
/// calls the runner, releases what a user made, resumes what waits. So no foreign code runs under the lock.
///
/// Invariants:
/// - An element waits only while `isScheduled`: the runner was called, and no turn has found or left the queue empty since. So
///   there is one turn at a time, and the observer never runs concurrently with itself.
/// - Once the mailbox is closed nothing is added; once it is cancelled nothing waits.
@usableFromInline
struct MailboxState<Element: Sendable>: Sendable {
    @usableFromInline typealias Queue = TwoStackQueue<Queued<Element>>

    /// Kept in a struct: a bare closure read out of a generic container is wrapped in a thunk at each access.
    @usableFromInline
    struct Runner: Sendable {
        @usableFromInline let start: Mailbox<Element>.Runner

        @inlinable
        init(start: @escaping Mailbox<Element>.Runner) { self.start = start }
    }

    @usableFromInline
    enum Phase: Sendable {
        case open
        /// Nothing is taken any more; what waits is still handled.
        case finished
        /// Nothing is taken any more, and nothing handled.
        case cancelled
    }

    @usableFromInline let policy: BufferingPolicy
    @usableFromInline var phase = Phase.open
    @usableFromInline var queue = Queue()

    /// How many elements were added to the queue in all.
    @usableFromInline var addedCount = 0

    /// How many elements the policy dropped.
    @usableFromInline var droppedCount = 0

    /// Where the center counts them; `nil` if it does not.
    @usableFromInline var drops: DropCounter?

    /// Starts turns. It is released when the mailbox has ended, with everything that the observer captured.
    @usableFromInline var runner: Runner?

    /// Whether the runner was called, and no turn has found or left the queue empty since.
    @usableFromInline var isScheduled = false

    /// Whether a turn has taken elements, and not ended since.
    @usableFromInline var isRunning = false

    /// The call that is running, if it can be told apart from others of the turn.
    @usableFromInline var call: Call?

    /// The tasks that wait for the end of the turn.
    @usableFromInline var waiting: [CheckedContinuation<Void, Never>] = []

    /// What waits until the elements that were added by a certain time have been handled, the earliest first.
    @usableFromInline var handling: [Handling] = []

    /// Tells monitors what becomes of elements; `nil` if there is no monitor.
    var watcher: QueueWatcher?

    /// What monitors know of the elements that wait.
    var traces = TraceTable()

    @inlinable
    init(_ policy: BufferingPolicy, runner: Runner) {
        self.policy = policy
        self.runner = runner
    }

    // MARK: Elements arrive

    @usableFromInline
    enum PutAction: Sendable {
        /// The element waits, and a turn is under way that will meet it.
        case none
        /// Calls the runner.
        case start(Runner)
        /// Discards an element that the policy dropped, so many in all.
        case drop(Queued<Element>, total: Int)
        /// Discards the element itself, as the mailbox has ended.
        case refuse(Queued<Element>)
    }

    /// Adds an element, if the policy has room for it.
    @inlinable
    mutating func put(_ element: Queued<Element>) -> PutAction {
        guard phase == .open else { return .refuse(element) }
        switch policy.admission(waiting: queue.count) {
        case .append:
            queue.append(element)
            addedCount &+= 1
        case .dropNewest:
            noteDrop()
            return .drop(element, total: droppedCount)
        case .dropOldest:
            let oldest = queue.popFirst()
            queue.append(element)
            addedCount &+= 1
            noteDrop()
            // Elements wait, so the runner was called.
            return oldest.map { .drop($0, total: droppedCount) } ?? .none
        }
        if isScheduled { return .none }
        isScheduled = true
        return runner.map { .start($0) } ?? .none
    }

    @inlinable
    mutating func noteDrop() {
        droppedCount += 1
        drops?.add()
    }

    /// How many elements will wait when one more has arrived; `nil` if it will be discarded itself.
    var countAfterPut: Int? {
        guard phase == .open else { return nil }
        return switch policy.admission(waiting: queue.count) {
        case .append: queue.count + 1
        case .dropOldest: queue.count
        case .dropNewest: nil
        }
    }

    // MARK: Elements are handled

    @usableFromInline
    enum TakeAction: Sendable {
        /// Handles what was taken.
        case handle([Handling])
        /// Ends the turns, as nothing waits. The next put calls the runner, unless the mailbox has ended: then the runner is here,
        /// to be released.
        case rest([Handling], released: Runner?)
    }

    /// Begins a turn, or a single call: moves what is to be handled next into an empty batch.
    ///
    /// For a single call the batch holds one element, unless the elements have yet to be reversed: that takes longer the more
    /// they are, so it is left to the caller, which gives the rest back.
    @inlinable
    mutating func begin(_ call: Call?, isSingle: Bool, with batch: inout Queue) -> TakeAction {
        // A turn has none left; the consumer of a sequence, which ends no turn, has handled what it took.
        let handled = takeHandled()
        if isSingle, let next = queue.outgoing.popLast() {
            batch.outgoing.append(next)
        } else {
            take(into: &batch)
        }
        if batch.isEmpty { return .rest(handled, released: rest()) }
        self.call = call
        isRunning = true
        return .handle(handled)
    }

    /// Moves what is to be handled next into an empty batch: all of it, or one element if there is a limit, as each element
    /// that leaves makes room for another.
    @inlinable
    mutating func take(into batch: inout Queue) {
        if policy == .unbounded { return queue.moveStack(to: &batch) }
        if let next = queue.popFirst() { batch.append(next) }
    }

    @usableFromInline
    enum GiveBackAction: Sendable {
        case none
        /// Discards what was given back, as the mailbox was cancelled meanwhile.
        case discard(Queue)
    }

    /// Takes back what a turn has taken and not handled.
    @inlinable
    mutating func giveBack(_ rest: inout Queue) -> GiveBackAction {
        if rest.isEmpty { return .none }
        if phase != .cancelled {
            queue.takeBack(&rest)
            return .none
        }
        var discarded = Queue()
        swap(&discarded, &rest)
        return .discard(discarded)
    }

    @usableFromInline
    struct EndAction: Sendable {
        /// The tasks that wait for the end, to be resumed.
        @usableFromInline let waiting: [CheckedContinuation<Void, Never>]

        /// What waits for elements that have been handled, to be resumed.
        @usableFromInline let handled: [Handling]

        /// Whether the turns end, as nothing waits.
        @usableFromInline let rests: Bool

        /// The runner, to be released, if the turns end for good.
        @usableFromInline let released: Runner?

        @inlinable
        init(waiting: [CheckedContinuation<Void, Never>], handled: [Handling], rests: Bool, released: Runner?) {
            self.waiting = waiting
            self.handled = handled
            self.rests = rests
            self.released = released
        }
    }

    /// Ends a turn, or a call of it. If nothing waits, the turns end with it: a further turn, only to find that out, would cost
    /// a yield, and often a wake-up of another thread.
    @inlinable
    mutating func end() -> EndAction {
        call = nil
        isRunning = false
        let ended = waiting
        waiting = []
        let rests = queue.isEmpty
        return EndAction(
            waiting: ended, handled: takeHandled(), rests: rests, released: rests ? rest() : nil)
    }

    /// Ends the turns: the next element that arrives calls the runner.
    ///
    /// - Returns: The runner, to be released, if the mailbox has ended.
    @inlinable
    mutating func rest() -> Runner? {
        isScheduled = false
        isRunning = false
        return phase == .open ? nil : runner.take()
    }

    // MARK: Waiting for what was added

    /// Something that waits until the elements have been handled that were added when it began to wait.
    @usableFromInline
    struct Handling: Sendable {
        /// How many elements had been added.
        let count: Int
        let resume: @Sendable () -> Void
    }

    /// Has something wait until the elements that have been added by now are handled.
    ///
    /// - Returns: Whether it waits; false if they are.
    mutating func waitForHandling(_ resume: @escaping @Sendable () -> Void) -> Bool {
        if phase == .cancelled || queue.isEmpty && !isRunning { return false }
        handling.append(Handling(count: addedCount, resume: resume))
        return true
    }

    /// Takes out what need not wait any longer, at a moment when each element was handled, or is in the queue.
    @inlinable
    mutating func takeHandled() -> [Handling] { handling.isEmpty ? [] : takeFirstHandled() }

    @usableFromInline
    mutating func takeFirstHandled() -> [Handling] {
        let handledCount = addedCount - queue.count
        let ready = handling.prefix { $0.count <= handledCount }
        handling.removeFirst(ready.count)
        return Array(ready)
    }

    // MARK: The mailbox ends

    /// Closes the mailbox. What waits is still handled.
    ///
    /// - Returns: The runner, to be released unless it is still to handle something.
    mutating func finish() -> Runner? {
        if phase == .open { phase = .finished }
        return isScheduled ? nil : runner.take()
    }

    /// What is discarded and released when a mailbox is cancelled.
    @usableFromInline
    struct CancelAction: Sendable {
        let discarded: Queue
        /// What waits for elements that are discarded, to be resumed. A call that is running is not waited for: the observation is
        /// over.
        let handled: [Handling]
        let released: (Runner?, QueueWatcher?)
    }

    /// Cancels the mailbox, and empties it.
    mutating func cancel() -> CancelAction {
        phase = .cancelled
        var discarded = Queue()
        swap(&discarded, &queue)
        let handled = handling
        handling = []
        return CancelAction(discarded: discarded, handled: handled, released: (runner.take(), watcher.take()))
    }
}

/// An element that waits in a mailbox, with a mark that names a delivery that waits for it, or what monitors know of it.
@usableFromInline
struct Queued<Element: Sendable>: Sendable {
    @usableFromInline
    enum Mark: Sendable {
        /// No delivery and no monitor follows the element, as with most.
        case none
        /// A delivery waits for it.
        case delivery(DeliveryScope)
        /// Monitors know of it. The slot of the mailbox's ``TraceTable`` names the delivery too, if there is one.
        case trace(slot: Int)
    }

    @usableFromInline let element: Element

    /// The mark in one word: 0, or twice the number of a delivery, or one more than twice a slot.
    @usableFromInline let word: UInt

    @inlinable
    init(_ element: Element, scope: DeliveryScope) {
        self.element = element
        word = UInt(bitPattern: scope.number) << 1
    }

    init(_ element: Element, slot: Int) {
        self.element = element
        word = UInt(bitPattern: slot) << 1 | 1
    }

    /// Whether there is no mark.
    @inlinable var isPlain: Bool { word == 0 }

    @usableFromInline var mark: Mark {
        if isPlain { return .none }
        let number = Int(bitPattern: word >> 1)
        return word & 1 == 0 ? .delivery(DeliveryScope(number: number)) : .trace(slot: number)
    }
}
