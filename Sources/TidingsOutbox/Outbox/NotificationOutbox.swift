/// Notifications that survive a crash: your database stores them in the same transaction as the changes they report.
///
/// ```swift
/// let outbox = try await NotificationOutbox(in: database, of: center)    // GRDB's DatabaseWriter
///
/// try await database.write { db in
///     try order.insert(db)
///     try outbox.post(OrderPlaced(number: order.id), in: db)   // rolled back with the order
/// }
/// ```
///
/// The outbox makes these promises:
///
/// - A notification is stored if and only if its transaction is committed. No observer receives it before the commit.
/// - *Observers of the center* receive it after the commit, in the program that has stored it, at most once. If that
///   program is killed before the outbox posts the notification in the center, they don't receive it.
/// - *Durable observers*, which have names, receive it at least once, in the order of the commits, even after a crash.
///   They may run in another program than the one that has stored it. If an observer fails, the notification is
///   retried. After the last retry it becomes a dead letter, which you can list and redeliver.
/// - A possibly repeated notification is marked: see ``StoredNotification/mayBeRepeated``. An inbox, such as
///   ``PostgresInbox``, applies an effect only once, if the effect is a change in the same database.
/// - Each failure is posted in the center as an ``OutboxFault``.
///
/// These promises require a database that reports a commit only after the transaction has been written to the disk.
public final class NotificationOutbox<Store: OutboxStore>: Sendable {
    /// The store of the notifications.
    public let store: Store

    let core: OutboxCore

    /// Opens an outbox in a store. Each kind of database has a shorter initializer.
    ///
    /// - Parameters:
    ///   - store: The store of the notifications.
    ///   - center: The center for committed notifications. Its monitors receive the events of durable observers.
    ///   - options: The options.
    ///   - clock: The clock that measures delays and time limits.
    /// - Throws: An error of the store.
    public init<C: Clock>(
        _ store: Store, of center: any TypedNotificationCenter, options: OutboxOptions = OutboxOptions(), clock: C
    ) async throws where C.Duration == Duration {
        self.store = store
        core = try await OutboxCore(center, store, options, ElapsedClock(clock))
    }

    /// Opens an outbox in a store. Each kind of database has a shorter initializer.
    ///
    /// - Parameters:
    ///   - store: The store of the notifications.
    ///   - center: The center for committed notifications. Its monitors receive the events of durable observers.
    ///   - options: The options.
    /// - Throws: An error of the store.
    public convenience init(
        _ store: Store, of center: any TypedNotificationCenter, options: OutboxOptions = OutboxOptions()
    ) async throws {
        try await self.init(store, of: center, options: options, clock: ContinuousClock())
    }

    package init<C: Clock>(
        _ store: Store, of center: any TypedNotificationCenter, options: OutboxOptions, clock: C,
        wall: @escaping @Sendable () -> Int64
    ) async throws where C.Duration == Duration {
        self.store = store
        core = try await OutboxCore(center, store, options, ElapsedClock(clock, wall: wall))
    }

    deinit { core.end() }

    /// Encodes a notification. Call this before a transaction, so that encoding doesn't prolong the transaction.
    ///
    /// - Parameter notification: The notification.
    /// - Returns: The value to pass to a store.
    /// - Throws: ``OutboxError/Code/unencodable``, ``OutboxError/Code/payloadTooLarge``,
    ///   ``OutboxError/Code/invalidName`` or ``OutboxError/Code/finished``.
    public func encode<N: RemoteNotification>(_ notification: N) throws(OutboxError) -> OutboxPost {
        if core.isFinished { throw OutboxError(.finished, "the outbox has finished") }
        return try OutboxPost(notification, limit: core.options.maximumBodySize)
    }

    /// Waits until the notifications stored so far are posted in the center, and this program's durable observers have
    /// handled them.
    ///
    /// A durable observer must not call this method or ``finish(within:)``, because the call would wait for the
    /// notification that the observer is handling. The same applies to observers of the notifications that the durable
    /// observer posts meanwhile. Such a call ends at its limit. If a durable observer drains its center instead, the
    /// drain doesn't wait for the observer, but may list it.
    ///
    /// - Parameter limit: The maximum time to wait. Cancelling the task also ends the wait.
    /// - Returns: The durable observers that haven't handled all of these notifications.
    @discardableResult
    public func drain(within limit: Duration) async -> [DurableObserverStatus] { await core.drain(within: limit) }

    /// Stops accepting posts, waits until the stored notifications are handled, and ends the durable observers.
    ///
    /// Notifications that remain unhandled stay in the table for the next program that runs the observer.
    ///
    /// - Parameter limit: The maximum time to wait for the observers. To save their progress, the observers get the
    ///   remaining time, and at least 100 milliseconds. If the task is cancelled, they get only the 100 milliseconds.
    ///   Finally, the store is stopped. If the database doesn't respond, stopping the store takes until the store's own
    ///   timeouts.
    /// - Returns: The durable observers that haven't handled all of these notifications.
    @discardableResult
    public func finish(within limit: Duration) async -> [DurableObserverStatus] { await core.finish(within: limit) }

    /// The state of the durable observers that this program has registered.
    public var runningObservers: [DurableObserverStatus] { core.statuses }

    /// Lists the durable observers in the table, whether or not a program runs them.
    public func registeredObservers() async throws -> [DurableObserverRecord] { try await store.observers() }

    /// Removes a durable observer and its dead letters. The table no longer keeps notifications for the observer.
    ///
    /// End the observer in all programs first. A program that still runs it posts ``OutboxFault/Kind/leaseLost`` and
    /// adds it again, at the start position of its registration: the position at which the program opened the outbox,
    /// or the oldest row. The observer then receives notifications that it has already handled. These notifications
    /// aren't marked as possibly repeated, because the table no longer has the observer's progress.
    ///
    /// - Parameter observer: The name.
    /// - Throws: An error of the database.
    public func removeObserver(named observer: String) async throws { try await store.remove(observer) }
}
