/// What changes in a bus: a state machine, under the bus's lock. Each step returns an action to be performed when the lock is
/// free.
///
/// A step may take the locks of mailboxes, which take no other lock: the order is bus, then mailbox.
///
/// Invariant: at most one call of a consumer is under way, also if it is removed and added again meanwhile. A removed consumer
/// may still be called. Until that call has ended its mailbox is found in `leaving`, and a mailbox that is made for the consumer
/// takes its first turn after that call (``Subscriber``). The mailbox in `leaving` is cancelled, so no further turn of it
/// begins, and "no turn is under way" stays true once it is. Both are decided under this lock: what finds a consumer removed
/// finds its mailbox cancelled.
@usableFromInline
struct BusState<Message: Sendable>: Sendable {
    @usableFromInline typealias PutAction = MailboxState<Message>.PutAction

    @export(implementation) var subscribers: [ObjectIdentifier: Subscriber<Message>] = [:]

    /// Mailboxes of consumers that were removed while they were called.
    @export(implementation) var leaving: [ObjectIdentifier: Mailbox<Message>] = [:]

    /// How many of them there may be before those whose call has ended are forgotten.
    @export(implementation) var leavingLimit = 16

    /// Whether there is a monitor.
    @export(implementation) var isMonitored = false

    /// Whether monitors are told of each message, or warned of what becomes of it.
    @export(implementation) var tellsMessages = false

    /// Whether no message is taken any more.
    @export(implementation) var isFinished = false

    @export(implementation)
    init() {}

    // MARK: Dispatching

    @usableFromInline
    struct FillAction: Sendable {
        /// The mailboxes whose runners are to be called.
        @export(implementation) var started: [(Mailbox<Message>, MailboxState<Message>.Runner)] = []

        /// How many mailboxes the message was put into.
        @export(implementation) var count = 0

        /// The subscribers that were removed, as their consumers are gone.
        @export(implementation) var removed: [Subscriber<Message>] = []

        @export(implementation)
        init() {}

        /// Calls the runners. The caller holds no lock.
        @export(implementation)
        func start() {
            for (mailbox, runner) in started { runner.start(mailbox) }
        }
    }

    /// Puts a message into all mailboxes, and removes the subscribers whose mailboxes have ended.
    @export(implementation)
    mutating func fill(with message: Message) -> FillAction {
        fill { mailbox in mailbox.state.withLock { $0.put(Queued(message, scope: .none)) } }
    }

    /// Puts a message into all mailboxes, and removes the subscribers whose mailboxes have ended.
    ///
    /// - Parameter put: Puts it into one.
    /// - Returns: The action to perform.
    @export(implementation)
    mutating func fill(_ put: (Mailbox<Message>) -> PutAction) -> FillAction {
        var action = FillAction()
        if isFinished { return action }
        var refusals = 0
        for subscriber in subscribers.values {
            switch put(subscriber.mailbox) {
            case .none: break
            case .start(let runner): action.started.append((subscriber.mailbox, runner))
            case .drop, .refuse: refusals += 1
            }
        }
        action.count = subscribers.count - refusals
        if refusals > 0 { action.removed = removeEnded() }
        return action
    }

    /// Removes the subscribers whose mailboxes have ended, as their consumers are gone.
    @export(implementation)
    mutating func removeEnded() -> [Subscriber<Message>] {
        let ended = subscribers.filter { !$0.value.mailbox.isOpen }
        for key in ended.keys { subscribers[key] = nil }
        return Array(ended.values)
    }

    // MARK: Adding and removing

    @usableFromInline
    enum AddAction: Sendable {
        /// The consumer is there already.
        case none
        /// Releases a subscriber that was at the same address, and whose consumer is gone.
        case release(Subscriber<Message>?)
        /// Tells monitors of the new one, and that the other one has ended.
        case tell(Subscriber<Message>, replaced: Subscriber<Message>?)
    }

    /// Adds a consumer, unless it is there.
    ///
    /// - Parameters:
    ///   - consumer: The consumer, which is alive. One that was added before at the same address may be gone.
    ///   - make: Makes the subscriber, with a mailbox whose running call it has to wait for.
    /// - Returns: The action to perform.
    @export(implementation)
    mutating func add(
        _ consumer: ObjectIdentifier, _ make: (_ previous: Mailbox<Message>?) -> Subscriber<Message>
    ) -> AddAction {
        let replaced = subscribers[consumer]
        // Only the caller's own consumer can be found alive, so looking at it here runs no `deinit`.
        if replaced?.lifetime.isAlive == true { return .none }
        let previous = leaving.removeValue(forKey: consumer)
        let subscriber = make(previous?.isRunning == true ? previous : nil)
        subscribers[consumer] = subscriber
        return isMonitored ? .tell(subscriber, replaced: replaced) : .release(replaced)
    }

    @usableFromInline
    enum RemoveAction: Sendable {
        /// The consumer is not there.
        case none
        /// Discards what waits for the consumer, and tells monitors that it has ended.
        case end(Subscriber<Message>, MailboxState<Message>.CancelAction)
    }

    /// Removes a consumer, whose call may be under way.
    @export(implementation)
    mutating func remove(_ consumer: ObjectIdentifier) -> RemoveAction {
        guard let subscriber = subscribers.removeValue(forKey: consumer) else { return .none }
        let action = subscriber.mailbox.stop()
        if let running = subscriber.running {
            leaving[consumer] = running
            forgetEnded()
        }
        return .end(subscriber, action)
    }

    /// Forgets mailboxes whose call has ended, once there are twice as many as there were left the last time: in amortised
    /// constant time.
    @export(implementation)
    mutating func forgetEnded() {
        guard leaving.count > leavingLimit else { return }
        leaving = leaving.filter { $0.value.isRunning }
        leavingLimit = max(16, 2 * leaving.count)
    }
}
