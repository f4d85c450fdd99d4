public import Tidings
package import TidingsWire

#if ServiceLifecycle
    public import ServiceLifecycle
#endif

/// Connects a center to a server, through which its notifications reach other processes and machines.
///
/// For the center, the relay is another observer, and posting stays the same. A notification that arrives is posted in
/// the center to all observers except the relay's own, so it isn't sent back. It is also posted as a
/// ``RelayedNotification``, with its origin.
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
/// The relay makes these promises, in addition to the center's:
///
/// - *Order.* The posts of one thread or task arrive in order, even if connections are lost in between.
/// - *Transient* notifications arrive at most once, at the programs that are connected.
/// - *Durable* notifications arrive at least once at each consumer. A notification that is redelivered, because it was
///   in progress when a program was lost or because observers failed, has a higher
///   ``NotificationOrigin/deliveryCount``. Duplicates are filtered, within the ``RelayOptions/duplicateWindow`` of the
///   stream and the ``RelayOptions/duplicateMemory`` of the consumer.
/// - A durable notification is acknowledged when all its observers have finished, including asynchronous ones, and
///   sequences of it have requested the next. It is redelivered if its type wasn't observed, an observer threw an
///   error, a sequence was released in the middle, or one called ``RelayedNotification/retry()``.
/// - No failure is silent: each is posted in the center as a ``RelayFault``.
///
/// Observers that run during the post of an arriving notification run on the thread that reads the connection, and
/// delay later ones.
public final class NotificationRelay: Sendable, LagReporter {
    let context: RelayContext
    let connection: RelayConnection
    let sender: RelaySender
    let receiver: RelayReceiver
    let lagging: RelayLag
    private let letters: RelayDeadLetters
    let table: TableSending?
    private let runner: RelayRunner

    /// Creates a relay for any kind of link.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - connector: Connects to the server.
    ///   - options: The options.
    ///   - routes: The routes.
    ///   - source: The source of stored notifications to send, of the types with outgoing durable routes.
    /// - Throws: A fault if a name is invalid.
    package init(
        _ center: any TypedNotificationCenter, connector: any LinkConnector, options: RelayOptions,
        routes: [RelayRoute], outbox source: (any RelaySource)? = nil
    ) throws(RelayFault) {
        context = try RelayContext(center, options.valid)
        connection = RelayConnection(connector, context)
        let active = try ActiveRoute.all(routes, context)
        sender = RelaySender(context, connection, active, hasTable: source != nil)
        receiver = RelayReceiver(context, connection, sender, active)
        letters = RelayDeadLetters(context, connection, sender, active)
        let table = source.map { [context, sender] in TableSending($0.relaySource, context, sender, active) }
        self.table = table
        lagging = RelayLag(context, connection, sender, table, active)
        runner = RelayRunner(context, connection, sender, receiver, lagging, table, active)
        // The reservation precedes the relay's registration with the center: notifications that are committed from now
        // on are posted to the other observers only.
        try table?.begin()
        for route in routes where route.direction != .incoming { route.type.observe(for: sender) }
    }

    // MARK: Running

    /// Connects, and stays connected until ``finish(within:)`` is called or the task is cancelled. It is called once.
    ///
    /// Earlier posts aren't lost: they wait.
    ///
    /// With the trait `ServiceLifecycle` the relay is a `Service`: when the program shuts down gracefully, it stops
    /// within ``RelayOptions/finishingTime``. Services shut down in reverse order, so list the relay before the
    /// services and the groups of observers whose posts it has to send.
    public func run() async {
        #if ServiceLifecycle
            await withGracefulShutdownHandler {
                await runner.run()
            } onGracefulShutdown: {
                // `run` ends with it, so nothing has to wait for this task.
                Task { await self.finish(within: self.context.options.finishingTime) }
            }
        #else
            await runner.run()
        #endif
    }

    /// Returns when the relay is connected and its subscriptions have been sent, or when the relay or the task ends.
    ///
    /// Observers that were registered before the call receive everything that arrives after it.
    public func waitUntilReady() async {
        await connection.isReady.wait()
        // The observers may not have been registered when the relay connected.
        receiver.lookForObservers()
    }

    /// Accepts nothing further, waits until observers have finished and everything is stored, and ends ``run()``.
    ///
    /// - Parameter limit: The maximum time to wait. A notification that isn't stored by then is a
    ///   ``RelayFault/Kind/stopped``.
    public func finish(within limit: Duration = .seconds(10)) async {
        await runner.finish(within: limit)
    }

    /// Returns when the observers in this program have finished with everything that the streams of the routes
    /// contained at the call.
    ///
    /// A program that is about to end can use it to handle what is there. It also returns without a connection, or when
    /// the time limit passes.
    ///
    /// - Parameter limit: The maximum time to wait.
    /// - Returns: Whether it has caught up.
    @discardableResult
    public func catchUp(within limit: Duration = .seconds(10)) async -> Bool {
        await receiver.catchUp(within: limit)
    }

    // MARK: Sending

    /// Stores a notification in its stream, and posts it in this program. Returns when the stream has it.
    ///
    /// It is posted to all observers except the relay's own, unless a route of the type has a group: in that case one
    /// member receives it, which may be this program. While the send buffer is full, the call waits for room.
    ///
    /// Cancelling the waiting task doesn't cancel the notification.
    ///
    /// - Parameters:
    ///   - notification: The notification. A route of this program or of another one stores its type in a stream. This
    ///     program needs no route.
    ///   - id: Its identity: letters, digits, `-`, `_` and `.`; at most 255 bytes. The server drops a duplicate with
    ///     the same identity, within the ``RelayOptions/duplicateWindow``. `nil` for a unique one.
    ///   - headers: Additional headers: texts by name. A name has letters, digits, `-` and `_`, doesn't begin with the
    ///     reserved prefixes `ce-`, `nats-` and `tidings-`, and isn't `content-type`, `traceparent` or `tracestate`.
    ///     Readers find them in ``NotificationOrigin/headers``.
    ///   - postsLocally: Whether the observers of this program receive it as well. A table of your own whose rows are
    ///     sent with their own identities posts when it commits, so it passes `false`. A relay with a
    ///     `NotificationOutbox` does all of that on its own.
    /// - Returns: Its number in the stream; for a duplicate, the number of the first one.
    /// - Throws: A fault if it can't be sent, or if the stream rejects it.
    @discardableResult
    public func publish<N: RemoteNotification>(
        _ notification: N, id: String? = nil, headers: [String: String] = [:], postingLocally postsLocally: Bool = true
    ) async throws(RelayFault) -> UInt64 {
        try await sender.publish(notification, id, headers, postsLocally: postsLocally)
    }

    /// The number of durable notifications that wait to be stored, without those in the table of an outbox.
    public var unsentCount: Int { sender.unsent.count }

    // MARK: Dead letters

    /// Lists the dead letters: durable notifications that are kept and no longer delivered.
    ///
    /// A tool for dead letters has outgoing durable routes, and no incoming ones: outgoing routes create no consumer,
    /// and the tool lists the dead letters of all consumers.
    ///
    /// - Parameter stream: The stream whose dead letters to list, for all of its consumers, including those of other
    ///   programs; `nil` for those of this relay's consumers or, if it has none, for all of the types of its durable
    ///   routes.
    /// - Returns: The dead letters, the oldest of each stream first.
    /// - Throws: A fault if there is no connection, or if the server rejects the request.
    public func deadLetters(of stream: String? = nil) async throws(RelayFault) -> [DeadLetter] {
        try await letters.list(of: stream)
    }

    /// Sends dead letters back to the consumers that gave up on them: all that ``deadLetters(of:)`` returns without a
    /// stream.
    ///
    /// - Returns: The number of dead letters that were sent back.
    /// - Throws: A fault if there is no connection, or if the server rejects the request. The remaining dead letters
    ///   are kept.
    @discardableResult
    public func redrive() async throws(RelayFault) -> Int { try await redrive(deadLetters()) }

    /// Sends dead letters back to the consumers that gave up on them.
    ///
    /// Each is stored in its stream once more, at the end, for the consumer that gave up on it. Other consumers of this
    /// package skip it. It is delivered as often as a new one. A dead letter is removed when its stream has the
    /// notification.
    ///
    /// - Parameter letters: The dead letters, as ``deadLetters(of:)`` returns them, all or some.
    /// - Returns: The number of dead letters that were sent back, without those that another program has sent back
    ///   meanwhile.
    /// - Throws: A fault if there is no connection, or if the server rejects the request. The remaining dead letters
    ///   are kept.
    @discardableResult
    public func redrive(_ letters: [DeadLetter]) async throws(RelayFault) -> Int {
        try await self.letters.redrive(letters)
    }

    // MARK: Lag

    /// Reports whether the relay is connected, stores its waiting notifications, and keeps up with incoming ones.
    ///
    /// It isn't connected before ``run()`` has connected it, nor after it has ended. Without a connection,
    /// notifications wait as long as there is room, so a program continues for a while. That ends when the send buffer
    /// is nearly full. Notifications in the table of a `NotificationOutbox` take no room. That a failure blocks an
    /// observer of the outbox is part of the outbox's `health`.
    ///
    /// A route doesn't keep up when more notifications wait, or for longer, than ``RelayOptions/lagLimits`` or
    /// ``RelayRoute/ConsumerOptions/lagLimits`` allow, according to a response at most ``RelayOptions/lagInterval``
    /// old. Without limits the server isn't queried.
    ///
    /// - Parameter limits: The maximum lag of routes without their own limits; ``RelayOptions/lagLimits`` if it is
    ///   `nil`.
    /// - Returns: The problems.
    public func health(_ limits: RelayOptions.LagLimits? = nil) -> NotificationHealth {
        lagging.health(limits)
    }

    /// The last known lag of the relay. It is at most ``RelayOptions/lagInterval`` old while it is read and the relay
    /// is connected. After a minute without a read, the server is no longer queried. At first there are therefore no
    /// routes.
    ///
    /// ``status()`` queries the server, and also separates the partitions of an `ordered` route.
    public var lag: LagReport {
        lagging.wanted
    }

    /// Queries the server for the lag of the routes, with three requests per route. Use it for a figure that is read
    /// every few seconds, not for each notification.
    ///
    /// - Returns: The current lag, with an entry for each partition of an `ordered` route.
    /// - Throws: A fault if there is no connection, or if the server doesn't respond.
    public func status() async throws(RelayFault) -> LagReport {
        try await lagging.status()
    }
}

#if ServiceLifecycle
    /// ```swift
    /// try await ServiceGroup(
    ///     services: [relay, observers, server], gracefulShutdownSignals: [.sigterm], logger: logger
    /// ).run()
    /// ```
    ///
    /// The group runs the relay, see ``NotificationRelay/run()``.
    extension NotificationRelay: Service {}
#endif

extension NotificationRelay: CustomStringConvertible {
    /// The relay, with the name of the program on the wire.
    public var description: String { "relay \(context.options.name)" }
}
