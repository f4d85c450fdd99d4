/// Sends messages, one closed set of them, to all of its consumers: asynchronously, in one order, without keeping a consumer
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
/// ``dispatch(_:)``, and what waits for it waits without bound. A consumer that is removed and added again while it is called
/// is not called a second time meanwhile: it gets the next message when that call has ended.
///
/// Make a bus where you need one. One for a whole app is a line, in an extension of its messages:
///
/// ```swift
/// extension AppMessage { static let bus = MessageBus<AppMessage>() }
/// ```
public final class MessageBus<Message: Sendable>: MessageProducer {
    @export(implementation) let state = Lock(BusState<Message>())

    /// The monitors.
    @export(implementation) let monitoring = Monitoring()

    /// Makes a bus without consumers.
    @export(implementation)
    public init() {}

    deinit { tellEnd(of: state.withLock { $0.subscribers }.values, .centerGone) }

    /// Sends a message to every consumer, and returns at once.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func dispatch(_ message: Message, fileID: StaticString = #fileID, line: UInt = #line) {
        // One lock around all mailboxes is what gives all consumers one order.
        let action = state.withLock { state in state.tellsMessages ? nil : state.fill(with: message) }
        guard let action else {
            return dispatchMonitored(message, from: SourcePlace(fileID: fileID, line: line))
        }
        action.start()
    }

    /// Sends a message to every consumer, as code does that knows the bus as a ``MessageProducer``: monitors are told of no place then.
    ///
    /// - Parameter message: The message.
    @export(implementation)
    @_disfavoredOverload
    public func dispatch(_ message: Message) {
        let action = state.withLock { state in state.tellsMessages ? nil : state.fill(with: message) }
        guard let action else { return dispatchMonitored(message, from: nil) }
        action.start()
    }

    /// Adds a consumer, which is held weakly. One that is already there is not added twice.
    ///
    /// An actor takes its messages inside, a main-actor class on the main actor.
    ///
    /// - Parameters:
    ///   - consumer: The consumer.
    ///   - response: What follows when the consumer throws an error, beside the report to monitors. To end is to remove it.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func add<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, onFailure response: FailureResponse = .report, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let delivery = consumer is any Actor ? DeliveryMode.actor : .task
        add(consumer, delivery, onFailure: response, from: SourcePlace(fileID: fileID, line: line)) { $0 as? any Actor }
    }

    /// Adds a consumer that takes its messages on the main actor, which costs a main-actor class less than a hop for each.
    ///
    /// - Parameters:
    ///   - consumer: The consumer, held weakly. One that is already there is not added twice.
    ///   - delivery: `.main`.
    ///   - response: What follows when the consumer throws an error, beside the report to monitors. To end is to remove it.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func add<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, on delivery: ConsumerDelivery, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        add(consumer, .mainActor, onFailure: response, from: SourcePlace(fileID: fileID, line: line)) { _ in
            MainActor.shared
        }
    }

    @export(implementation)
    func add<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, _ delivery: DeliveryMode, onFailure response: FailureResponse, from place: SourcePlace,
        isolation: @escaping @Sendable (Consumer) -> (any Actor)?
    ) {
        let respond = response.respond {
            { [weak self, weak consumer] in
                if let consumer { self?.remove(consumer) }
            }
        }
        add(ObjectIdentifier(consumer)) { previous in
            Subscriber(
                consumer, delivery, from: place, after: previous, retrying: response.retries, onFailure: respond,
                isolation: isolation)
        }
        extendLifetime(consumer)
    }

    @export(implementation)
    func add(_ consumer: ObjectIdentifier, _ make: (Mailbox<Message>?) -> Subscriber<Message>) {
        let (action, count) = state.withLock { state in
            let action = state.add(consumer, make)
            return (action, state.subscribers.count)
        }
        if case .tell(let subscriber, let replaced) = action {
            if let replaced { tellEnd(of: CollectionOfOne(replaced), .ownerGone) }
            didAdd(subscriber)
        }
        if count & (count - 1) == 0 { removeDead() }
    }

    /// Removes a consumer. It gets no further message, not even one that was dispatched before.
    ///
    /// A call that is under way goes on. A consumer that is added again meanwhile gets what is dispatched from then on, when
    /// that call has ended.
    ///
    /// - Parameter consumer: The consumer. One that is not there changes nothing.
    @export(implementation)
    public func remove(_ consumer: some MessageConsumer<Message>) {
        let action = state.withLock { $0.remove(ObjectIdentifier(consumer)) }
        guard case .end(let subscriber, let cancellation) = action else { return }
        subscriber.mailbox.perform(cancellation)
        tellEnd(of: CollectionOfOne(subscriber), .cancelled)
    }

    /// How many consumers there are, with those that are gone and were not met yet.
    @export(implementation)
    package var consumerCount: Int { state.withLock { $0.subscribers.count } }

    /// Removes the subscribers whose consumers are gone, as does a dispatch that meets them.
    @export(implementation)
    func removeDead() {
        // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
        let dead = state.withLock { $0.subscribers }.values.filter { !$0.lifetime.isAlive }
        if dead.isEmpty { return }
        for subscriber in dead { subscriber.mailbox.cancel() }
        tellEnd(of: state.withLock { $0.removeEnded() }, .ownerGone)
    }
}

extension ObservationStatus {
    /// The state of a bus's consumer. Fails if the consumer is gone.
    @usableFromInline
    init?<Message>(_ subscriber: Subscriber<Message>) {
        guard let consumer = subscriber.lifetime.words else { return nil }
        let status = subscriber.mailbox.status
        self.init(
            observer: subscriber.observer, sender: nil, owner: consumer, queued: status.queued, dropped: 0,
            failed: status.failed, retrying: status.retrying, isRunning: subscriber.running != nil, calls: status.calls)
    }
}

extension MessageBus {
    /// Who consumes the messages, and how many wait for each. The ``ObservationStatus/owner`` of a row is the consumer, its type and
    /// address. Consumers that are gone are not listed.
    @export(implementation)
    public var consumers: [ObservationStatus] {
        // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
        let all = state.withLock { $0.subscribers }.values
        return all.compactMap { ObservationStatus($0) }.sorted { $0.owner ?? "" < $1.owner ?? "" }
    }
}

extension MessageBus {
    /// Whether the consumers of the bus keep up.
    ///
    /// - Parameter thresholds: How many messages may wait, and how long a call may take.
    /// - Returns: What is not as it should be.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        consumers.health(thresholds)
    }
}
