/// Sends messages of one type, usually an enum, to consumers. All consumers receive the messages asynchronously and in
/// the same order. The bus doesn't keep consumers alive.
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
/// A consumer receives the messages that are dispatched after it is added, until it is removed. It receives one at a
/// time, in the same order as all other consumers, even if several threads dispatch. A slow consumer delays neither the
/// others nor ``dispatch(_:)``, and its queue has no limit. A consumer that is removed and added again during a call
/// isn't called concurrently: it receives the next message when that call has ended.
///
/// Create a bus where you need one. A bus for a whole app takes one line:
///
/// ```swift
/// extension AppMessage { static let bus = MessageBus<AppMessage>() }
/// ```
public final class MessageBus<Message: Sendable>: MessageProducer {
    @export(implementation) let state = Lock(BusState<Message>())
    @export(implementation) let monitoring = Monitoring()

    /// Creates a bus without consumers.
    @export(implementation)
    public init() {}

    deinit { tellEnd(of: state.withLock { $0.subscribers }.values, .centerGone) }

    /// Sends a message to all consumers, and returns at once.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func dispatch(_ message: Message, fileID: StaticString = #fileID, line: UInt = #line) {
        dispatch(message, from: SourcePlace(fileID: fileID, line: line))
    }

    /// Sends a message to all consumers, as a ``MessageProducer``. Monitors don't receive the file and line of the
    /// call.
    ///
    /// - Parameter message: The message.
    @export(implementation)
    @_disfavoredOverload
    public func dispatch(_ message: Message) { dispatch(message, from: nil) }

    @inline(__always)
    @export(implementation)
    func dispatch(_ message: Message, from place: SourcePlace?) {
        // All mailboxes are filled under one lock, so all consumers receive the messages in the same order.
        let action = state.withLock { state in state.tellsMessages ? nil : state.fill(with: message) }
        guard let action else { return dispatchMonitored(message, from: place) }
        action.start()
        if !action.removed.isEmpty { tellEnd(of: action.removed, .ownerGone) }
    }

    /// Adds a consumer, which is held weakly. Adding it again has no effect. An actor handles its messages in its own
    /// isolation, and a main-actor class on the main actor.
    ///
    /// - Parameters:
    ///   - consumer: The consumer.
    ///   - response: The response to an error that the consumer throws, in addition to the report to monitors.
    ///     ``FailureResponse/end`` removes the consumer.
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

    /// Adds a consumer that handles its messages on the main actor. This saves a main-actor class a hop per message.
    ///
    /// - Parameters:
    ///   - consumer: The consumer, held weakly. Adding it again has no effect.
    ///   - delivery: `.main`.
    ///   - response: The response to an error that the consumer throws, in addition to the report to monitors.
    ///     ``FailureResponse/end`` removes the consumer.
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
        let (key, lifetime) = (ObjectIdentifier(consumer), ObserverOwner(consumer))
        let respond = response.respond {
            { [weak self] in self?.remove(key, addedWith: lifetime) }
        }
        add(key) { previous in
            Subscriber(
                consumer, lifetime, delivery, from: place, after: previous, retrying: response.retries,
                onFailure: respond, isolation: isolation)
        }
        extendLifetime(consumer)
    }

    @export(implementation)
    func add(_ consumer: ObjectIdentifier, _ make: (Mailbox<Message>?) -> Subscriber<Message>) {
        let (action, count) = state.withLock { state in
            let action = state.add(consumer, make)
            return (action, state.subscribers.count)
        }
        if let subscriber = action.told {
            if let replaced = action.replaced { tellEnd(of: CollectionOfOne(replaced), .ownerGone) }
            didAdd(subscriber)
        }
        extendLifetime(action.previous)
        if count & (count - 1) == 0 { removeDead() }
    }

    /// Removes a consumer. The consumer receives no further message, not even one that was dispatched before.
    ///
    /// A running call continues. If the consumer is added again, later messages wait until that call has ended.
    ///
    /// - Parameter consumer: The consumer. If it isn't subscribed, nothing happens.
    @export(implementation)
    public func remove(_ consumer: some MessageConsumer<Message>) { remove(ObjectIdentifier(consumer), addedWith: nil) }

    @export(implementation)
    func remove(_ consumer: ObjectIdentifier, addedWith lifetime: ObserverOwner?) {
        let action = state.withLock { $0.remove(consumer, addedWith: lifetime) }
        guard let (subscriber, cancellation, forgotten) = action else { return }
        subscriber.mailbox.perform(cancellation)
        tellEnd(of: CollectionOfOne(subscriber), .cancelled)
        extendLifetime(forgotten)
    }

    @export(implementation)
    func removeDead() {
        // Reading a weak reference may run the `deinit` of its object, so no lock is held.
        let dead = state.withLock { $0.subscribers }.values.filter { !$0.lifetime.isAlive }
        if dead.isEmpty { return }
        for subscriber in dead { subscriber.mailbox.cancel() }
        tellEnd(of: state.withLock { $0.removeEnded() }, .ownerGone)
    }
}

extension ObservationStatus {
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
    /// The live consumers, each with its queue length. ``ObservationStatus/owner`` is the consumer's type and address.
    @export(implementation)
    public var consumers: [ObservationStatus] {
        // Reading a weak reference may run the `deinit` of its object, so no lock is held.
        let all = state.withLock { $0.subscribers }.values
        return all.compactMap { ObservationStatus($0) }.sorted { $0.owner ?? "" < $1.owner ?? "" }
    }
}

extension MessageBus {
    /// Checks whether the consumers of the bus keep up.
    ///
    /// - Parameter thresholds: How many messages may be queued, and how long a call may take.
    /// - Returns: The problems found.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        consumers.health(thresholds)
    }
}
