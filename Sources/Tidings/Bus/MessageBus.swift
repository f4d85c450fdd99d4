/// Sends messages, one closed set of them, to whoever wants them: asynchronously, in one order, without keeping anybody
/// alive.
///
/// ```swift
/// enum AppMessage: Sendable {
///     case article(Article.ID, ArticleEvent)
///     case user(UserEvent)
/// }
///
/// let bus = MessageBus<AppMessage>()
/// bus.add(tracker)
/// bus.dispatch(.article(id, .opened))
/// ```
///
/// Every consumer gets every message that is dispatched while it is added, and all get them in the same order, also if
/// several threads dispatch. Each takes them at its own pace, one at a time: a slow one delays neither the others nor
/// ``dispatch(_:)``, and what waits for it waits without bound.
///
/// Make a bus where you need one. One for a whole app is a line, in an extension of its messages:
///
/// ```swift
/// extension AppMessage { static let bus = MessageBus<AppMessage>() }
/// ```
public final class MessageBus<Message: Sendable>: MessageProducer {
    @usableFromInline let subscribers = Lock<[ObjectIdentifier: Subscriber<Message>]>([:])

    /// Makes a bus without consumers.
    @inlinable
    public init() {}

    /// Sends a message to every consumer, and returns at once.
    ///
    /// - Parameter message: The message.
    @inlinable
    public func dispatch(_ message: Message) {
        // One lock around all mailboxes is what gives all consumers one order.
        let idle = subscribers.withLock { subscribers in
            var idle: [(Mailbox<Message>, MailboxState<Message>.Runner)] = []
            var hasDead = false
            for subscriber in subscribers.values {
                let (refused, runner) = subscriber.mailbox.fill(with: Queued(message, scope: .none))
                if let runner { idle.append((subscriber.mailbox, runner)) }
                if refused != nil { hasDead = true }
            }
            if hasDead { subscribers = subscribers.filter { $0.value.mailbox.isOpen } }
            return idle
        }
        for (mailbox, runner) in idle { runner.start(mailbox) }
    }

    /// Adds a consumer, which is held weakly. One that is already there is not added twice.
    ///
    /// An actor takes its messages inside, a main-actor class on the main actor.
    ///
    /// - Parameter consumer: The consumer.
    @inlinable
    public func add<Consumer: MessageConsumer<Message>>(_ consumer: Consumer) {
        add(Subscriber(consumer) { $0 as? any Actor }, for: ObjectIdentifier(consumer))
    }

    /// Adds a consumer that takes its messages on the main actor, which costs a main-actor class less than a hop for each.
    ///
    /// - Parameters:
    ///   - consumer: The consumer, held weakly. One that is already there is not added twice.
    ///   - actor: `MainActor.self`.
    @inlinable
    public func add<Consumer: MessageConsumer<Message>>(_ consumer: Consumer, on actor: MainActor.Type) {
        add(Subscriber(consumer) { _ in MainActor.shared }, for: ObjectIdentifier(consumer))
    }

    @usableFromInline
    func add(_ subscriber: Subscriber<Message>, for consumer: ObjectIdentifier) {
        let (replaced, count) = subscribers.withLock { subscribers in
            let previous = subscribers[consumer]
            // The consumer is alive; what was there before at the same address may be gone.
            if previous?.lifetime.isAlive != true { subscribers[consumer] = subscriber }
            return (previous, subscribers.count)
        }
        _ = replaced
        if count & (count - 1) == 0 { removeDead() }
    }

    /// Removes a consumer. It gets no further message, not even one that was dispatched before.
    ///
    /// - Parameter consumer: The consumer. One that is not there changes nothing.
    public func remove(_ consumer: some MessageConsumer<Message>) {
        let removed = subscribers.withLock { $0.removeValue(forKey: ObjectIdentifier(consumer)) }
        removed?.mailbox.cancel()
    }

    /// How many consumers there are, with those that are gone and were not met yet.
    package var consumerCount: Int { subscribers.withLock { $0.count } }

    /// Removes the subscribers whose consumers are gone, as does a dispatch that meets them.
    @usableFromInline
    func removeDead() {
        // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
        let dead = subscribers.withLock { $0 }.values.filter { !$0.lifetime.isAlive }
        if dead.isEmpty { return }
        for subscriber in dead { subscriber.mailbox.cancel() }
        subscribers.withLock { $0 = $0.filter { $0.value.mailbox.isOpen } }
    }
}
