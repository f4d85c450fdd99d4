#if ServiceLifecycle
    public import ServiceLifecycle
#endif

/// Connects a center to a server, through which the center's notifications reach other processes and machines.
///
/// The relay observes the center, so code that posts notifications doesn't change. When a notification arrives,
/// the relay posts first a ``RelayedNotification``, which contains the origin, and then the notification itself. The
/// relay's own observers don't receive these posts.
///
/// ```swift
/// let relay = try NotificationRelay(center, to: NATSServer("nats://127.0.0.1:4222"), as: "shop", routes: [
///     .durable(OrderPlaced.self, .outgoing, stream: "ORDERS")
/// ])
/// Task { await relay.run() }
/// await relay.waitUntilReady()
/// let receipt = await center.deliver(OrderPlaced(number: 7))   // returns when the stream has it
/// ```
///
/// In addition to the promises of the center, the relay makes these:
///
/// - *Order.* Posts of the same type by one thread or task arrive in order, even if connections are lost in between.
/// - *Transient* notifications arrive at most once, at the programs that are connected.
/// - *Durable* notifications arrive at least once at each consumer. A notification is redelivered if the program that
///   received it was lost before the observers finished, or if an observer failed. A redelivery has a higher
///   ``NotificationOrigin/deliveryCount``. The stream drops duplicates within its ``RelayOptions/duplicateWindow``, and
///   the program drops those of the last ``RelayOptions/duplicateMemory`` notifications.
/// - A durable notification is acknowledged when all its observers have finished, including asynchronous ones, and its
///   sequences have requested the next element. It is redelivered if an observer threw an error, a sequence was
///   released before it requested the next element, or ``RelayedNotification/retry()`` was called. Without an observer,
///   it isn't acknowledged.
/// - Each failure is posted in the center as a ``RelayFault``.
///
/// The relay directly calls observers that have no queue or task, so a slow observer delays later notifications.
public final class NotificationRelay: Sendable, LagReporter {
    let context: RelayContext
    let connection: RelayConnection
    let sender: RelaySender
    let receiver: RelayReceiver
    let lagging: RelayLag
    private let letters: RelayDeadLetters
    let table: TableSending?
    private let runner: RelayRunner

    package init(
        _ center: any TypedNotificationCenter, connector: any LinkConnector, options: RelayOptions,
        routes: [RelayRoute], outbox source: (any RelaySource)? = nil
    ) throws(RelayFault) {
        context = try RelayContext(center, options.valid)
        connection = RelayConnection(connector, context)
        let active = try ActiveRoute.all(routes, context)
        sender = RelaySender(context, connection, active, hasTable: source != nil)
        receiver = RelayReceiver(context, connection, sender, active)
        letters = RelayDeadLetters(context: context, connection: connection, sender: sender, routes: active)
        let table = source.map { [context, sender] in TableSending($0.relaySource, context, sender, active) }
        self.table = table
        lagging = RelayLag(context, connection, sender, table, active)
        runner = RelayRunner(context, connection, sender, receiver, lagging, table, active)
        // `begin` comes first, so that the relay's own observers never send notifications that the table sends.
        try table?.begin()
        for route in routes where route.direction != .incoming {
            sender.observe(route.type, isDurable: route.isDurable)
        }
    }

    /// Connects, and stays connected until ``finish(within:)`` is called or the task is cancelled. Call `run` only
    /// once. Notifications that were posted before the call are sent, too.
    ///
    /// With the trait `ServiceLifecycle`, the relay is a `Service`. When the program shuts down gracefully, the relay
    /// finishes within ``RelayOptions/finishingTime``. Services shut down in reverse order, so list the relay before
    /// the services and groups of observers whose posts it sends.
    public func run() async {
        #if ServiceLifecycle
            await withGracefulShutdownHandler {
                await runner.run()
            } onGracefulShutdown: {
                // `run` ends when this task has finished, so nothing needs to wait for the task.
                Task { await self.finish(within: self.context.options.finishingTime) }
            }
        #else
            await runner.run()
        #endif
    }

    /// Returns when the relay is connected and has sent its subscriptions, when it ends, or when the task is cancelled.
    ///
    /// Observers that were registered before the call receive everything that arrives after it returns.
    public func waitUntilReady() async {
        await connection.isReady.wait()
        // Observers may have been registered since the relay connected.
        receiver.lookForObservers()
    }

    /// Accepts no more posts, waits until observers have finished and everything is stored, and ends ``run()``.
    ///
    /// - Parameter limit: The maximum time. When it passes, each notification that isn't stored is reported as
    ///   ``RelayFault/Kind/stopped``.
    public func finish(within limit: Duration = .seconds(10)) async { await runner.finish(within: limit) }

    /// Waits until this program's observers have handled all notifications that the routes' streams contain now.
    ///
    /// - Parameter limit: The maximum time to wait.
    /// - Returns: Whether the observers have finished. It is false without a connection, or when the limit passes.
    @discardableResult
    public func catchUp(within limit: Duration = .seconds(10)) async -> Bool {
        await receiver.catchUp(within: limit)
    }

    /// Stores a notification in its stream, and posts it in this program. Returns when the stream has stored it.
    ///
    /// The notification is posted to all observers except the relay's own before the stream has stored it. Observers
    /// may therefore have received the notification even if the call throws. If a route of the type has a group, the
    /// notification isn't posted, because a member of the group receives it. While the send buffer is full, the call
    /// waits for room. Cancelling the waiting task doesn't cancel the notification.
    ///
    /// - Parameters:
    ///   - notification: The notification. A durable route of this or another program must store its type in a stream.
    ///   - id: The identity: 1 to 255 ASCII letters, digits, hyphens, underscores and dots. Within the
    ///     ``RelayOptions/duplicateWindow``, the server drops another notification with the same identity. `nil` stands
    ///     for a unique identity.
    ///   - headers: Additional ``NotificationOrigin/headers``. A name has letters, digits, `-` and `_`, and isn't
    ///     `ce-…`, `nats-…`, `tidings-…`, `content-type`, `traceparent`, `tracestate`, `status` or `description`.
    ///   - postsLocally: Whether the observers of this program receive the notification, too. Pass `false` if the
    ///     program also posts the notification itself, for example when it commits a row of its own table.
    /// - Returns: The number of the notification in the stream; for a duplicate, the number of the first copy.
    /// - Throws: A fault if the notification can't be sent, or if the stream rejects it.
    @discardableResult
    public func publish<N: RemoteNotification>(
        _ notification: N, id: String? = nil, headers: [String: String] = [:], postingLocally postsLocally: Bool = true
    ) async throws(RelayFault) -> UInt64 {
        try await sender.publish(notification, id, headers, postsLocally: postsLocally)
    }

    /// The number of durable notifications in the send buffer, without those that are only in the table of an outbox.
    public var unsentCount: Int { sender.unsent.count }

    /// Lists the dead letters: durable notifications that are kept, and no longer delivered.
    ///
    /// A relay with only outgoing durable routes, as in a command-line tool, lists the dead letters of all consumers.
    ///
    /// - Parameter stream: The stream whose dead letters to list, for all consumers of all programs. `nil` lists those
    ///   of this relay's consumers. If the relay has no consumers, `nil` lists those of its durable routes' types.
    /// - Returns: The dead letters. Those of each consumer are in order, with the oldest first.
    /// - Throws: A fault if there is no connection, or if the server rejects the request.
    public func deadLetters(of stream: String? = nil) async throws(RelayFault) -> [DeadLetter] {
        try await letters.list(of: stream)
    }

    /// Sends all dead letters that ``deadLetters(of:)`` lists for `nil` back to their consumers.
    ///
    /// - Returns: The number of dead letters that were sent back.
    /// - Throws: A fault if there is no connection, or if the server rejects a request. Dead letters that weren't sent
    ///   back are kept.
    @discardableResult
    public func redrive() async throws(RelayFault) -> Int { try await redrive(deadLetters()) }

    /// Sends dead letters back to their consumers.
    ///
    /// Each notification is stored again at the end of its stream, and then its dead letter is removed. Only the dead
    /// letter's consumer handles it, with as many retries as a new notification. Other consumers that use this package
    /// skip it.
    ///
    /// - Parameter letters: Some or all of the dead letters that ``deadLetters(of:)`` returns.
    /// - Returns: The number of dead letters that this call has sent back.
    /// - Throws: A fault if there is no connection, or if the server rejects a request. Dead letters that weren't sent
    ///   back are kept.
    @discardableResult
    public func redrive(_ letters: [DeadLetter]) async throws(RelayFault) -> Int {
        try await self.letters.redrive(letters)
    }

    /// Reports a missing connection, a nearly full send buffer, an unknown lag, and routes that don't keep up.
    ///
    /// A relay that isn't running counts as not connected. Without a connection, notifications wait in the send buffer
    /// while it has room. A send buffer that is nearly full is a separate problem. A notification in a
    /// `NotificationOutbox` takes room in the send buffer only while it is being sent, and the `health` of the outbox
    /// reports its problems.
    ///
    /// A route doesn't keep up if the number of its waiting notifications, or the age of the oldest, exceeds
    /// ``RelayOptions/lagLimits`` or ``RelayRoute/ConsumerOptions/lagLimits``. The relay compares its last known lag,
    /// which is updated every ``RelayOptions/lagInterval``. Without limits, no queries are sent for this method.
    ///
    /// - Parameter limits: The limits of routes without their own. `nil` stands for ``RelayOptions/lagLimits``.
    /// - Returns: The problems.
    public func health(_ limits: RelayOptions.LagLimits? = nil) -> NotificationHealth { lagging.health(limits) }

    /// The last known lag of the relay. To query the server for the current lag, call ``status()``.
    ///
    /// While the property is read regularly and the relay is connected, the lag is at most ``RelayOptions/lagInterval``
    /// old. The relay stops updating the lag after a minute without a read, or after three intervals if they are
    /// longer. The next read may then return an old report. The very first read returns a report without routes.
    public var lag: LagReport { lagging.wanted }

    /// Queries the server for the lag, with up to three requests per route. Call it every few seconds at most.
    ///
    /// - Returns: The current lag, with an entry for each partition of an `ordered` route.
    /// - Throws: A fault if there is no connection, or if the server doesn't respond.
    public func status() async throws(RelayFault) -> LagReport { try await lagging.status() }
}

#if ServiceLifecycle
    /// A service group runs the relay: see ``NotificationRelay/run()``.
    ///
    /// ```swift
    /// try await ServiceGroup(
    ///     services: [relay, observers, server], gracefulShutdownSignals: [.sigterm], logger: logger
    /// ).run()
    /// ```
    extension NotificationRelay: Service {}
#endif

extension NotificationRelay: CustomStringConvertible {
    /// The word `relay`, and the name of the program on the wire.
    public var description: String { "relay \(context.options.name)" }
}
