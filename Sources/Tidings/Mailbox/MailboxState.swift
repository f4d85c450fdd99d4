/// What changes in a mailbox: a state machine that does nothing itself.
///
/// Each step is made under the mailbox's lock and returns an action, which the mailbox performs when the lock is free: it
/// calls the runner, releases what a user made, resumes what waits. So no foreign code runs under the lock.
///
/// Invariants:
/// - An element waits only while `isScheduled`: the runner was called, and no turn has found or left the queue empty since. So
///   there is one turn at a time, and the observer never runs concurrently with itself.
/// - An element that waits to be handed to the observer again has a timer that calls the runner.
/// - Once the mailbox is closed nothing is added; once it is cancelled nothing waits.
@usableFromInline
struct MailboxState<Element: Sendable>: Sendable {
    @usableFromInline typealias Queue = TwoStackQueue<Queued<Element>>

    /// Kept in a struct: a bare closure read out of a generic container is wrapped in a thunk at each access.
    @usableFromInline
    struct Runner: Sendable {
        @export(implementation) let start: Mailbox<Element>.Runner

        /// The observer's tie to an owner, if it has one: released with the closure, as it refers to the observation.
        @export(implementation) let ownership: Ownership?

        @export(implementation)
        init(start: @escaping Mailbox<Element>.Runner, tiedBy ownership: Ownership? = nil) {
            self.start = start
            self.ownership = ownership
        }
    }

    @usableFromInline
    enum Phase: Sendable {
        case open
        /// Nothing is taken any more; what waits is still handled.
        case finished
        /// Nothing is taken any more, and nothing handled.
        case cancelled
    }

    @export(implementation) let policy: BufferingPolicy
    @usableFromInline var phase = Phase.open
    @usableFromInline var queue = Queue()

    /// How many elements were added to the queue in all.
    @export(implementation) var addedCount = 0

    /// When they were.
    @export(implementation) var arrivals = ArrivalTimes()

    /// How many had been added when the last one was for which a delivery waits.
    @export(implementation) var addedWithLastAwaited = 0

    /// Whether a delivery waits for an element of the queue.
    @export(implementation) var isAwaited: Bool { addedWithLastAwaited > addedCount &- queue.count }

    /// The pace of the last turn of calls that may be suspended.
    @export(implementation) var pace = Pace()

    /// How many elements the policy dropped.
    @export(implementation) var droppedCount = 0

    /// Where the center counts them; `nil` if it does not.
    @export(implementation) var drops: DropCounter?

    /// Starts turns. It is released when the mailbox has ended, with everything that the observer captured.
    @export(implementation) var runner: Runner?

    /// Whether the runner was called, and no turn has found or left the queue empty since.
    @export(implementation) var isScheduled = false

    /// Whether a turn has taken elements, and not ended since.
    @export(implementation) var isRunning = false

    /// What lists of observations say of the calls.
    @export(implementation) var progress = CallProgress()

    /// The call that is running, if it can be told apart from others of the turn.
    @export(implementation) var call: Call?

    /// The tasks that wait for the end of the turn.
    @export(implementation) var waiting: [CheckedContinuation<Void, Never>] = []

    /// What waits until the elements that were added by a certain time have been handled, the earliest first.
    @export(implementation) var handling: [Handling] = []

    /// Tells monitors what becomes of elements; `nil` if there is no monitor.
    @export(implementation) var reporter: QueueReporter?

    /// The monitors, as they were when the reporter was handed over.
    @export(implementation) var monitors: MonitorList?

    /// The lengths of which monitors are told that are told nothing else of the queue.
    @export(implementation) var lengths = QueueLengths()

    /// What monitors know of the elements that wait.
    @export(implementation) var traces = TraceTable()

    /// How many elements monitors are being told of that are not in the queue yet.
    @export(implementation) var announcedCount = 0

    /// The elements that wait until they are handed to the observer again; `nil` if none ever is.
    @export(implementation) var retries: Retries<Element>?

    /// Who waits for room in the queue; `nil` unless the policy asks posters to.
    @export(implementation) var room: RoomLine?

    /// How many elements the observer threw an error for and is not called with again.
    @export(implementation) var failedCount = 0

    @export(implementation)
    init(_ policy: BufferingPolicy, retrying plan: RetryPlan?, runner: Runner) {
        self.policy = policy
        self.runner = runner
        if let plan { retries = Retries(plan) }
        if case .backPressure(let limit) = policy { room = RoomLine(limit: limit) }
    }

    // MARK: Waiting for what was added

    /// Something that waits until the elements have been handled that were added when it began to wait.
    @usableFromInline
    struct Handling: Sendable {
        /// How many elements had been added.
        let count: Int
        /// The wait to which it belongs, if that may be given up.
        var wait: ObjectIdentifier?
        let resume: @Sendable () -> Void
    }

    /// Has something wait until the elements that have been added by now are handled.
    ///
    /// - Returns: Whether it waits; false if they are.
    mutating func waitForHandling(of wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) -> Bool {
        if phase == .cancelled || queue.isEmpty && !isRunning && retryingCount == 0 { return false }
        handling.append(Handling(count: addedCount, wait: wait, resume: resume))
        return true
    }

    /// Takes out what need not wait any longer, at a moment when each element was handled, or is in the queue.
    @export(implementation)
    mutating func takeHandled() -> [Handling] { handling.isEmpty ? [] : takeFirstHandled() }

    @usableFromInline
    mutating func takeFirstHandled() -> [Handling] {
        let handledCount = min(addedCount - queue.count, retries?.oldestNumber.map { $0 - 1 } ?? .max)
        let ready = handling.prefix { $0.count <= handledCount }
        handling.removeFirst(ready.count)
        return Array(ready)
    }

    // MARK: The mailbox ends

    /// Closes the mailbox. What waits is still handled.
    ///
    /// - Returns: The runner, to be released unless it is still to handle something, and who waits for room no more.
    mutating func finish() -> (Runner?, admitted: [Handling]) {
        if phase == .open { phase = .finished }
        return (isScheduled || retryingCount > 0 ? nil : runner.take(), admit())
    }

    /// The elements and references that are discarded and released when a mailbox is cancelled.
    @usableFromInline
    struct CancelAction: Sendable {
        let discarded: Queue
        /// What waits for elements that are discarded, to be resumed. A call that is running is not waited for: the observation
        /// is over.
        let handled: [Handling]
        /// What measures how long elements wait that are to be handed to the observer again.
        let timers: [RetryTimer]
        let released: (Runner?, QueueReporter?, MonitorList?)
    }

    /// Cancels the mailbox, and empties it.
    mutating func cancel() -> CancelAction {
        phase = .cancelled
        var discarded = Queue()
        swap(&discarded, &queue)
        let timers = discardRetries(into: &discarded)
        let handled = handling + admit()
        handling = []
        return CancelAction(
            discarded: discarded, handled: handled, timers: timers,
            released: (runner.take(), reporter.take(), monitors.take()))
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

    @export(implementation) let element: Element

    /// The mark in one word: 0, or twice the number of a delivery, or one more than twice a slot.
    @export(implementation) let word: UInt

    @export(implementation)
    init(_ element: Element, scope: DeliveryScope) {
        self.element = element
        word = UInt(bitPattern: scope.number) << 1
    }

    @export(implementation)
    init(_ element: Element, slot: Int) {
        self.element = element
        word = UInt(bitPattern: slot) << 1 | 1
    }

    /// Whether there is no mark.
    @export(implementation) var isPlain: Bool { word == 0 }

    @export(implementation) var mark: Mark {
        if isPlain { return .none }
        let number = Int(bitPattern: word >> 1)
        return word & 1 == 0 ? .delivery(DeliveryScope(number: number)) : .trace(slot: number)
    }
}
