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
    @usableFromInline let state = Lock(BusState<Message>())

    /// The monitors.
    let monitoring = Monitoring()

    /// Makes a bus without consumers.
    public init() {}

    deinit { tellEnd(of: state.withLock { $0.subscribers }.values) }

    /// Sends a message to every consumer, and returns at once.
    ///
    /// - Parameter message: The message.
    @inlinable
    public func dispatch(_ message: Message) {
        // One lock around all mailboxes is what gives all consumers one order.
        let idle = state.withLock { state in
            state.isMonitored ? nil : state.fill { $0.fill(with: Queued(message, scope: .none)) }
        }
        guard let idle else { return dispatchMonitored(message) }
        for (mailbox, runner) in idle.runners { runner.start(mailbox) }
    }

    /// Adds a consumer, which is held weakly. One that is already there is not added twice.
    ///
    /// An actor takes its messages inside, a main-actor class on the main actor.
    ///
    /// - Parameters:
    ///   - consumer: The consumer.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    @inlinable
    public func add<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        let delivery = consumer is any Actor ? DeliveryMode.actor : .task
        add(Subscriber(consumer, delivery, from: place) { $0 as? any Actor }, for: ObjectIdentifier(consumer))
    }

    /// Adds a consumer that takes its messages on the main actor, which costs a main-actor class less than a hop for each.
    ///
    /// - Parameters:
    ///   - consumer: The consumer, held weakly. One that is already there is not added twice.
    ///   - actor: `MainActor.self`.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    @inlinable
    public func add<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, on actor: MainActor.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        add(Subscriber(consumer, .mainActor, from: place) { _ in MainActor.shared }, for: ObjectIdentifier(consumer))
    }

    @usableFromInline
    func add(_ subscriber: Subscriber<Message>, for consumer: ObjectIdentifier) {
        let (replaced, count, isMonitored) = state.withLock { state in
            let previous = state.subscribers[consumer]
            // The consumer is alive; what was there before at the same address may be gone.
            let isNew = previous?.lifetime.isAlive != true
            if isNew { state.subscribers[consumer] = subscriber }
            return (previous, state.subscribers.count, state.isMonitored && isNew)
        }
        if isMonitored {
            if let replaced { tellEnd(of: CollectionOfOne(replaced)) }
            didAdd(subscriber)
        }
        if count & (count - 1) == 0 { removeDead() }
    }

    /// Removes a consumer. It gets no further message, not even one that was dispatched before.
    ///
    /// - Parameter consumer: The consumer. One that is not there changes nothing.
    public func remove(_ consumer: some MessageConsumer<Message>) {
        let removed = state.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(consumer)) }
        guard let removed else { return }
        removed.mailbox.cancel()
        tellEnd(of: CollectionOfOne(removed))
    }

    /// How many consumers there are, with those that are gone and were not met yet.
    package var consumerCount: Int { state.withLock { $0.subscribers.count } }

    /// Removes the subscribers whose consumers are gone, as does a dispatch that meets them.
    @usableFromInline
    func removeDead() {
        // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
        let dead = state.withLock { $0.subscribers }.values.filter { !$0.lifetime.isAlive }
        if dead.isEmpty { return }
        for subscriber in dead { subscriber.mailbox.cancel() }
        tellEnd(of: state.withLock { $0.removeClosed() })
    }
}
