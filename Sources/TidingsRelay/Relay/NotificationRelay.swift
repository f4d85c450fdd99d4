public import Tidings
package import TidingsWire

#if ServiceLifecycle
    import ServiceLifecycle
#endif

/// Joins a center to a server, through which the same notifications reach other processes and machines.
///
/// To the center it is one more observer: posting stays what it was. What arrives is posted in the center, to all observers but the
/// relay's own, so it does not go back; and as ``RelayedNotification``, with its origin, for who wants to know that.
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
/// What it promises, beside what the center does:
///
/// - *Order.* What one thread or task posts arrives in the order posted, also when connections are lost in between.
/// - *Transient* notifications arrive at most once, at those who are connected.
/// - *Durable* ones arrive at least once at each consumer. One that arrives again, as it was in progress when a program was lost or
///   because observers failed, says so in its ``NotificationOrigin/deliveryCount``. A second copy is filtered, within the
///   ``RelayOptions/duplicateWindow`` of the stream and the ``RelayOptions/duplicateMemory`` of the consumer.
/// - A durable notification is acknowledged when all its observers have finished, asynchronous ones too, and sequences of it have asked for
///   the next. It is delivered again if nobody observed it, an observer threw an error, a sequence was let go of in the middle, or one
///   called ``RelayedNotification/retry()``.
/// - No failure is silent: each is posted in the center as a ``RelayFault``.
///
/// Observers in the post of what arrives run on the thread that reads the connection, and hold up what comes after it.
public final class NotificationRelay: Sendable, LagReporter {
    let context: RelayContext
    let connection: RelayConnection
    let sender: RelaySender
    let receiver: RelayReceiver
    let lagging: RelayLag
    private let letters: RelayDeadLetters
    let table: TableSending?
    private let runner: RelayRunner

    /// Makes a relay for any kind of link.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - connector: Connects to the server.
    ///   - options: How the relay works.
    ///   - routes: What it carries.
    ///   - source: From where it sends what is stored there, of the types that durable routes send.
    /// - Throws: A fault if a name cannot be used.
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
        // Before the relay observes the center: what is committed from now on is posted past it.
        try table?.begin()
        for route in routes where route.direction != .incoming { route.type.observe(for: sender) }
    }

    // MARK: Running

    /// Connects, and stays connected, until ``finish(within:)`` is called or the task is cancelled. It is called once.
    ///
    /// What is posted before is not lost: it waits.
    ///
    /// With the trait `ServiceLifecycle` the relay is a `Service`: when the program shuts down gracefully, it stops within
    /// ``RelayOptions/finishingTime``. A service group shuts its services down in reverse order, so the relay stands before the services
    /// and the groups of observers that post what is to go out.
    public func run() async {
        #if ServiceLifecycle
            await withGracefulShutdownHandler {
                await runner.run()
            } onGracefulShutdown: {
                // The run ends with it, so nobody has to wait for this task.
                Task { await self.finish(within: self.context.options.finishingTime) }
            }
        #else
            await runner.run()
        #endif
    }

    /// Returns when the relay is connected and everything it subscribes to is on its way; also when the relay or the task ends.
    ///
    /// Observers that were registered before the call count: what comes after it reaches them.
    public func waitUntilReady() async {
        await connection.isReady.wait()
        // When the relay connected, they may not have been there yet.
        receiver.lookForObservers()
    }

    /// Takes nothing more, waits until observers have finished and everything is stored, and ends ``run()``.
    ///
    /// - Parameter limit: How long to wait. What is not stored then is a ``RelayFault/Kind/stopped``.
    public func finish(within limit: Duration = .seconds(10)) async {
        await runner.finish(within: limit)
    }

    /// Returns when the observers here have finished with everything that the streams of the routes had when it was called.
    ///
    /// A program that is about to end can so take along what is there. It also returns when there is no connection, or the time is
    /// over.
    ///
    /// - Parameter limit: How long to wait.
    /// - Returns: Whether it has caught up.
    @discardableResult
    public func catchUp(within limit: Duration = .seconds(10)) async -> Bool {
        await receiver.catchUp(within: limit)
    }

    // MARK: Sending

    /// Stores a notification in its stream, and posts it here; returns when the stream has it.
    ///
    /// It is posted to all observers but the relay's own, unless a route of the type has a group: then one member gets it, which may be
    /// this program. While the send buffer is full, the call waits for room.
    ///
    /// Cancelling the task that waits does not take the notification back.
    ///
    /// - Parameters:
    ///   - notification: The notification. A route of this program or of another one stores its type in a stream; this program needs none.
    ///   - id: Its identity: letters, digits, `-`, `_` and `.`; at most 255 bytes. The server drops a second one of the same identity, within
    ///     the ``RelayOptions/duplicateWindow``. `nil` for one that nobody else has.
    ///   - headers: What is to go along: texts by name. A name has letters, digits, `-` and `_`, and does not begin as those of others do,
    ///     with `ce-`, `nats-` or `tidings-`; nor is it `content-type`, `traceparent` or `tracestate`. Readers find them in
    ///     ``NotificationOrigin/headers``.
    ///   - postsLocally: Whether the observers of this program get it as well. A table of your own that is sent with its own identities
    ///     posts when it commits, so it passes `false`; a relay with a `NotificationOutbox` does all of that on its own.
    /// - Returns: Its number in the stream; that of the first one, if it is a second.
    /// - Throws: A fault if it cannot be sent, or the stream refuses it.
    @discardableResult
    public func publish<N: RemoteNotification>(
        _ notification: N, id: String? = nil, headers: [String: String] = [:], postingLocally postsLocally: Bool = true
    ) async throws(RelayFault) -> UInt64 {
        try await sender.publish(notification, id, headers, postsLocally: postsLocally)
    }

    /// How many durable notifications wait to be stored, without those that wait in the table of an outbox.
    public var unsentCount: Int { sender.unsent.count }

    // MARK: Dead letters

    /// The dead letters: durable notifications that are kept, and delivered no more.
    ///
    /// A tool that looks after them has durable routes that go out, and none that comes in: these make no consumer, and it lists the letters
    /// of all consumers.
    ///
    /// - Parameter stream: The stream whose dead letters are meant, of all its consumers, also of other programs; `nil` for those of the
    ///   consumers of this relay, or if it has none, for all of the types of its durable routes.
    /// - Returns: The dead letters, the oldest of each stream first.
    /// - Throws: A fault if there is no connection, or the server refuses.
    public func deadLetters(of stream: String? = nil) async throws(RelayFault) -> [DeadLetter] {
        try await letters.list(of: stream)
    }

    /// Sends dead letters back to the consumers that gave them up: all that ``deadLetters(of:)`` returns without a stream.
    ///
    /// - Returns: How many were sent back.
    /// - Throws: A fault if there is no connection, or the server refuses; what was not sent back stays.
    @discardableResult
    public func redrive() async throws(RelayFault) -> Int { try await redrive(deadLetters()) }

    /// Sends dead letters back to the consumers that gave them up.
    ///
    /// Each is stored in its stream once more, at the end, for the consumer that gave it up; other consumers of this package pass it over.
    /// It is delivered as often as a new one is. A letter is removed when its stream has it.
    ///
    /// - Parameter letters: The dead letters, as ``deadLetters(of:)`` returns them, all or chosen.
    /// - Returns: How many were sent back; one that somebody else has sent back meanwhile does not count.
    /// - Throws: A fault if there is no connection, or the server refuses; what was not sent back stays.
    @discardableResult
    public func redrive(_ letters: [DeadLetter]) async throws(RelayFault) -> Int {
        try await self.letters.redrive(letters)
    }

    // MARK: How far behind it is

    /// Whether the relay is connected, stores what waits for it, and keeps up with what comes in.
    ///
    /// It is not connected before ``run()`` has connected it, nor when it has ended. What waits while it is not is kept as far as there is
    /// room, so a program goes on without a connection for a while; when the send buffer is nearly full that ends. What waits in the table of a
    /// `NotificationOutbox` takes no room; that an observer of it is held up is part of that one's `health`.
    ///
    /// A route does not keep up when more waits, or for longer, than ``RelayOptions/lagLimits`` or ``RelayRoute/ConsumerOptions/lagLimits`` allow. That
    /// is as it was ``RelayOptions/lagInterval`` ago, at most. Without limits the server is not asked.
    ///
    /// - Parameter limits: How far behind routes may be that have no limits of their own; ``RelayOptions/lagLimits`` if it is `nil`.
    /// - Returns: What is not as it should be.
    public func health(_ limits: RelayOptions.LagLimits? = nil) -> NotificationHealth {
        lagging.health(limits)
    }

    /// How far behind the relay is, as it was known last: at most ``RelayOptions/lagInterval`` ago while this is read, and while it is
    /// connected. When nobody has read it for a minute, the server is not asked any more; so at first there are no routes.
    ///
    /// ``status()`` asks the server, and also tells the partitions of an `ordered` route apart.
    public var lag: LagReport {
        lagging.wanted
    }

    /// Asks the server how far behind the routes are: three questions for each. For a figure that is looked at every few seconds, not for each
    /// notification.
    ///
    /// - Returns: How much waits, here and there.
    /// - Throws: A fault if there is no connection, or the server does not answer.
    public func status() async throws(RelayFault) -> RelayStatus {
        try await lagging.status()
    }
}
