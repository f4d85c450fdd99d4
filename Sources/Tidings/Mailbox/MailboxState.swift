/// The state of a mailbox. Methods that change it are called under the mailbox's lock, and return an action. The
/// mailbox performs the action after the unlock: it calls the runner, releases user values and resumes tasks. So no
/// user code runs under the lock.
///
/// Invariants:
/// - Elements are queued only while `isScheduled` is `true`. While it is `true`, no second turn is started, so the
///   observer never runs concurrently with itself.
/// - Until its retry is due, an element that waits for a retry has a timer that calls the runner.
/// - A finished or cancelled mailbox accepts no elements. The queue of a cancelled mailbox is empty.
@usableFromInline
struct MailboxState<Element: Sendable>: ~Copyable, Sendable {
    @usableFromInline typealias Queue = TwoStackQueue<Queued<Element>>
    @usableFromInline typealias Condition = @Sendable (Element) -> Bool

    /// The runner is in a struct, because a generic container would wrap a bare closure in a thunk at each access.
    @usableFromInline
    struct Runner: Sendable {
        @export(implementation) let start: Mailbox<Element>.Runner

        /// Refers to the observation, which refers to the mailbox. Releasing the runner breaks this reference cycle.
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
        case finished
        case cancelled
    }

    @export(implementation) let policy: BufferingPolicy
    @usableFromInline var phase = Phase.open
    @usableFromInline var queue = Queue()
    @export(implementation) var addedCount = 0
    @export(implementation) var arrivals = ArrivalTimes()

    /// The number of the last added element that a `deliver` waits for, or 0. The first added element has the number 1.
    @export(implementation) var addedWithLastAwaited = 0

    @export(implementation) var isAwaited: Bool { addedWithLastAwaited > addedCount &- queue.count }

    @export(implementation) var pace = Pace()
    @export(implementation) var droppedCount = 0

    @export(implementation) var droppedUncalledCount = 0

    @export(implementation) var drops: DropCounter?

    /// The runner. It is released, with everything that the observer captured, when the mailbox has ended.
    @export(implementation) var runner: Runner?

    /// Set when the runner is called. Reset after a turn if nothing is queued and no retry blocks the queue.
    @export(implementation) var isScheduled = false

    @export(implementation) var isRunning = false
    @export(implementation) var progress = CallProgress()

    /// Represents the calls of the current turn, so that a drain can wait for them. `nil` between turns. For sequences
    /// and consumers of a bus, always `nil`, because nothing waits for their single calls.
    @export(implementation) var call: Call?

    @export(implementation) var waiting: [CheckedContinuation<Void, Never>] = []

    /// Each closure is called when the elements that were added before it have been handled. The oldest is first.
    @export(implementation) var handling: [Handling] = []

    @export(implementation) var teller: QueueTeller?

    @export(implementation) var reporter: QueueReporter? { teller?.reporter }

    @export(implementation) var lengths = QueueLengths()
    @export(implementation) var traces = TraceTable()

    /// The number of elements that are being reported to monitors and aren't in the queue yet.
    @export(implementation) var announcedCount = 0

    @export(implementation) var retries: Retries<Element>?
    @export(implementation) var room: RoomLine?

    /// The observer's condition, evaluated for posters that wait for room. Used only with back pressure, and released
    /// when the mailbox is finished or cancelled.
    @export(implementation) var condition: Condition?

    /// The number of errors, without those that are followed by a retry.
    @export(implementation) var failedCount = 0

    @export(implementation)
    init(_ policy: BufferingPolicy, where condition: Condition? = nil, retrying plan: RetryPlan?, runner: Runner) {
        self.policy = policy
        self.runner = runner
        if let plan { retries = Retries(plan) }
        if case .backPressure(let limit) = policy {
            room = RoomLine(limit: limit)
            self.condition = condition
        }
    }

    @usableFromInline
    struct Handling: Sendable {
        let count: Int
        var wait: ObjectIdentifier?
        let resume: @Sendable () -> Void
    }

    mutating func waitForHandling(of wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) -> Bool {
        if phase == .cancelled || queue.isEmpty && !isRunning && retryingCount == 0 { return false }
        handling.append(Handling(count: addedCount, wait: wait, resume: resume))
        return true
    }

    /// Takes the closures whose elements have been handled. Must not be called while a turn holds elements.
    @export(implementation)
    mutating func takeHandled() -> [Handling] { handling.isEmpty ? [] : takeFirstHandled() }

    @usableFromInline
    mutating func takeFirstHandled() -> [Handling] {
        let handledCount = min(addedCount - queue.count, retries?.oldestNumber.map { $0 - 1 } ?? .max)
        let ready = handling.prefix { $0.count <= handledCount }
        handling.removeFirst(ready.count)
        return Array(ready)
    }

    /// Finishes the mailbox. `released` contains the condition and, if nothing remains to be handled, the runner. The
    /// caller has to release both. `admitted` contains the closure of the first poster that waits for room, if any.
    mutating func finish() -> (released: (Runner?, Condition?), admitted: [Handling]) {
        if phase == .open { phase = .finished }
        let ended = isScheduled || retryingCount > 0 ? nil : runner.take()
        return ((ended, condition.take()), admit())
    }

    /// The work after a cancel. The closures in `handled` are called even if a call is still running, because the
    /// observation has ended.
    @usableFromInline
    typealias CancelAction = (
        discarded: Queue, handled: [Handling], timers: [RetryTimer], released: (Runner?, QueueTeller?, Condition?)
    )

    mutating func cancel() -> CancelAction {
        phase = .cancelled
        var discarded = Queue()
        swap(&discarded, &queue)
        let timers = discardRetries(into: &discarded)
        let handled = handling + admit()
        handling = []
        return (discarded, handled, timers, released: (runner.take(), teller.take(), condition.take()))
    }
}

@usableFromInline
struct Queued<Element: Sendable>: Sendable {
    @usableFromInline
    enum Mark: Sendable {
        case none
        case delivery(DeliveryScope)
        /// The element has monitoring data. Its slot in the ``TraceTable`` also refers to a delivery, if any.
        case trace(slot: Int)
    }

    @export(implementation) let element: Element

    /// 0 for `none`. Otherwise the lowest bit is 1 for a slot, and the other bits number the slot or the delivery.
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

    @export(implementation) var isPlain: Bool { word == 0 }

    @export(implementation) var mark: Mark {
        if isPlain { return .none }
        let number = Int(bitPattern: word >> 1)
        return word & 1 == 0 ? .delivery(DeliveryScope(number: number)) : .trace(slot: number)
    }
}
