/// The mutable state of a bus: a state machine under the bus's lock. Each transition returns an action to be performed
/// after the unlock.
///
/// A transition may take the locks of mailboxes, which take no other lock: the order is bus, then mailbox.
///
/// Invariant: at most one call of a consumer is running, even if the consumer is removed and added again in the
/// meantime. A removed consumer may still be in a call. Until that call has ended its mailbox is in `leaving`, and a
/// new mailbox for the same consumer takes its first turn after that call (``Subscriber``). The mailbox in `leaving` is
/// cancelled, so it begins no further turn, and "no turn is running" remains true once it is. Both are decided under
/// this lock: code that finds a consumer removed also finds its mailbox cancelled.
@usableFromInline
struct BusState<Message: Sendable>: ~Copyable, Sendable {
    @usableFromInline typealias PutAction = MailboxState<Message>.PutAction

    @export(implementation) var subscribers: [ObjectIdentifier: Subscriber<Message>] = [:]

    /// The mailboxes of consumers that were removed during a call.
    @export(implementation) var leaving: [ObjectIdentifier: Mailbox<Message>] = [:]

    /// The size of `leaving` from which mailboxes whose call has ended are removed.
    @export(implementation) var leavingLimit = 16

    /// Whether a monitor is attached.
    @export(implementation) var isMonitored = false

    /// Whether monitors receive each message, or warnings about it.
    @export(implementation) var tellsMessages = false

    /// Whether messages are no longer accepted.
    @export(implementation) var isFinished = false

    @export(implementation)
    init() {}

    // MARK: Dispatching

    @usableFromInline
    struct FillAction: Sendable {
        /// The mailboxes whose runners have to be called.
        @export(implementation) var started: [(Mailbox<Message>, MailboxState<Message>.Runner)] = []

        /// The number of mailboxes into which the message was put.
        @export(implementation) var count = 0

        /// The subscribers that were removed, because their consumers have been deallocated.
        @export(implementation) var removed: [Subscriber<Message>] = []

        @export(implementation)
        init() {}

        /// Calls the runners. The caller must hold no lock.
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
    /// - Parameter put: Puts the message into one mailbox.
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

    /// Removes the subscribers whose mailboxes have ended, because their consumers have been deallocated.
    @export(implementation)
    mutating func removeEnded() -> [Subscriber<Message>] {
        let ended = subscribers.filter { !$0.value.mailbox.isOpen }
        for key in ended.keys { subscribers[key] = nil }
        return Array(ended.values)
    }

    // MARK: Adding and removing

    @usableFromInline
    enum AddAction: Sendable {
        /// The consumer has been added already.
        case none
        /// Release a subscriber with the same address, whose consumer has been deallocated.
        case release(Subscriber<Message>?)
        /// Report to monitors the new subscriber and the end of the other one.
        case tell(Subscriber<Message>, replaced: Subscriber<Message>?)
    }

    /// Adds a consumer, unless it has been added already.
    ///
    /// - Parameters:
    ///   - consumer: The consumer, which is alive. An earlier consumer at the same address may have been deallocated.
    ///   - make: Creates the subscriber, with a mailbox whose running call it has to wait for.
    /// - Returns: The action to perform.
    @export(implementation)
    mutating func add(
        _ consumer: ObjectIdentifier, _ make: (_ previous: Mailbox<Message>?) -> Subscriber<Message>
    ) -> AddAction {
        let replaced = subscribers[consumer]
        // Only the caller's own consumer can be found alive, so this check runs no `deinit`.
        if replaced?.lifetime.isAlive == true { return .none }
        let previous = leaving.removeValue(forKey: consumer)
        let subscriber = make(previous?.isRunning == true ? previous : nil)
        subscribers[consumer] = subscriber
        return isMonitored ? .tell(subscriber, replaced: replaced) : .release(replaced)
    }

    @usableFromInline
    enum RemoveAction: Sendable {
        /// The consumer isn't subscribed.
        case none
        /// Discard the messages that are queued for the consumer, and report its end to monitors.
        case end(Subscriber<Message>, MailboxState<Message>.CancelAction)
    }

    /// Removes a consumer, which may be in a call.
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

    /// Removes mailboxes whose call has ended, once there are twice as many as remained the last time: in amortised
    /// constant time.
    @export(implementation)
    mutating func forgetEnded() {
        guard leaving.count > leavingLimit else { return }
        leaving = leaving.filter { $0.value.isRunning }
        leavingLimit = max(16, 2 * leaving.count)
    }
}
