/// The state of a bus, protected by its lock. Mutating methods return an action, which the bus performs after the
/// unlock. An action retains the removed mailboxes until then, because their release may run user code. A thread that
/// holds the lock of a mailbox (a consumer's queue) mustn't lock the bus.
///
/// Invariant: a consumer never runs two calls at once, even if it is removed and added again during a call. So
/// `leaving` keeps a removed mailbox while its call is running, and the consumer's new mailbox waits for the end of
/// that call.
@usableFromInline
struct BusState<Message: Sendable>: ~Copyable, Sendable {
    @usableFromInline typealias PutAction = MailboxState<Message>.PutAction

    @export(implementation) var subscribers: [ObjectIdentifier: Subscriber<Message>] = [:]
    @export(implementation) var leaving: [ObjectIdentifier: Mailbox<Message>] = [:]
    @export(implementation) var leavingLimit = 16
    @export(implementation) var isMonitored = false
    @export(implementation) var tellsMessages = false
    @export(implementation) var isFinished = false

    @export(implementation)
    init() {}

    @usableFromInline
    struct FillAction: Sendable {
        @export(implementation) var started: [(Mailbox<Message>, MailboxState<Message>.Runner)] = []
        @export(implementation) var count = 0
        @export(implementation) var removed: [Subscriber<Message>] = []

        @export(implementation)
        init() {}

        /// Starts the mailboxes that were idle, so that they handle the message. The caller must hold no lock.
        @export(implementation)
        func start() {
            for (mailbox, runner) in started { runner.start(mailbox) }
        }
    }

    @export(implementation)
    mutating func fill(with message: Message) -> FillAction {
        fill { mailbox in mailbox.state.withLock { $0.put(Queued(message, scope: .none)) } }
    }

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

    @export(implementation)
    mutating func removeEnded() -> [Subscriber<Message>] {
        let ended = subscribers.filter { !$0.value.mailbox.isOpen }
        for key in ended.keys { subscribers[key] = nil }
        return Array(ended.values)
    }

    /// `told`: the new subscriber, if a monitor is attached. `replaced`: the subscriber of a deallocated consumer that
    /// had the same address. `previous`: the mailbox that was removed from `leaving`.
    @usableFromInline
    typealias AddAction = (told: Subscriber<Message>?, replaced: Subscriber<Message>?, previous: Mailbox<Message>?)

    /// Adds a consumer. `make` receives the consumer's previous mailbox if that mailbox is still running a call.
    @export(implementation)
    mutating func add(
        _ consumer: ObjectIdentifier, _ make: (_ previous: Mailbox<Message>?) -> Subscriber<Message>
    ) -> AddAction {
        let replaced = subscribers[consumer]
        // If the consumer of `replaced` is alive, it is the same consumer, and the caller retains it. So `isAlive`
        // can't run its `deinit`.
        if replaced?.lifetime.isAlive == true { return (nil, nil, nil) }
        let previous = leaving.removeValue(forKey: consumer)
        let subscriber = make(previous?.isRunning == true ? previous : nil)
        subscribers[consumer] = subscriber
        return (told: isMonitored ? subscriber : nil, replaced: replaced, previous: previous)
    }

    @usableFromInline
    typealias RemoveAction = (
        Subscriber<Message>, MailboxState<Message>.CancelAction, [ObjectIdentifier: Mailbox<Message>]
    )

    /// Removes a consumer. If `lifetime` isn't `nil`, the consumer is only removed if it was last added with that
    /// `lifetime`.
    @export(implementation)
    mutating func remove(_ consumer: ObjectIdentifier, addedWith lifetime: ObserverOwner?) -> RemoveAction? {
        guard let subscriber = subscribers[consumer] else { return nil }
        if let lifetime, subscriber.lifetime !== lifetime { return nil }
        subscribers[consumer] = nil
        let action = subscriber.mailbox.stop()
        var forgotten: [ObjectIdentifier: Mailbox<Message>] = [:]
        if let running = subscriber.running {
            leaving[consumer] = running
            forgotten = forgetEnded()
        }
        return (subscriber, action, forgotten)
    }

    /// Removes ended mailboxes once `leaving` has doubled in size, so that a removal takes amortized constant time.
    /// Returns mailboxes that the caller has to retain until the unlock.
    @export(implementation)
    mutating func forgetEnded() -> [ObjectIdentifier: Mailbox<Message>] {
        guard leaving.count > leavingLimit else { return [:] }
        let all = leaving
        leaving = all.filter { $0.value.isRunning }
        leavingLimit = max(16, 2 * leaving.count)
        return all
    }
}
