public import Tidings

/// Notifications that survive a crash, because they are stored in your own database, in the transaction that they are
/// about.
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
/// The outbox guarantees the following:
///
/// - A notification is stored if and only if its transaction is committed. No observer receives it before.
/// - *Observers of the center* receive it after the commit, in the program that has stored it, at most once: if the
///   program is killed in between, they don't receive it.
/// - *Durable observers*, which have a name, receive it at least once, in the order of the commits, whichever program
///   runs them, and after any crash. If an observer fails, the notification is retried. After the last attempt it
///   becomes a dead letter, which can be listed and redelivered.
/// - A notification that may have been handled before is marked: see ``StoredNotification/mayBeRepeated``. With an
///   `IdentifiedDelivery` in an inbox, an effect in the same database happens once.
/// - No failure is silent: each is posted in the center as an ``OutboxFault``.
///
/// The guarantees depend on the database: transactions that it reports as committed have to be on the disk.
public final class NotificationOutbox<Store: OutboxStore>: Sendable {
    /// The store of the notifications.
    public let store: Store

    let core: OutboxCore

    /// Opens an outbox in a store. Each kind of database has a shorter initializer.
    ///
    /// - Parameters:
    ///   - store: The store of the notifications.
    ///   - center: The center in which they are posted after the commit, and whose monitors receive the events of
    ///     durable observers.
    ///   - options: The options.
    ///   - clock: The clock by which it waits.
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
    ///   - center: The center in which they are posted after the commit, and whose monitors receive the events of
    ///     durable observers.
    ///   - options: The options.
    /// - Throws: An error of the store.
    public convenience init(
        _ store: Store, of center: any TypedNotificationCenter, options: OutboxOptions = OutboxOptions()
    ) async throws {
        try await self.init(store, of: center, options: options, clock: ContinuousClock())
    }

    /// Opens an outbox with a custom wall clock.
    package init<C: Clock>(
        _ store: Store, of center: any TypedNotificationCenter, options: OutboxOptions, clock: C,
        wall: @escaping @Sendable () -> Int64
    ) async throws where C.Duration == Duration {
        self.store = store
        core = try await OutboxCore(center, store, options, ElapsedClock(clock, wall: wall))
    }

    deinit { core.end() }

    /// Encodes a notification before the transaction in which it is stored.
    ///
    /// - Parameter notification: The notification.
    /// - Returns: The value to pass to a store.
    /// - Throws: ``OutboxError/Code/unencodable``, ``OutboxError/Code/payloadTooLarge`` or
    ///   ``OutboxError/Code/finished``.
    public func encode<N: RemoteNotification>(_ notification: N) throws(OutboxError) -> OutboxPost {
        try core.encode(notification)
    }

    /// Returns when everything stored by now has been posted, and handled by the durable observers that this program
    /// runs, or when the time limit passes.
    ///
    /// - Parameter limit: The maximum time to wait. Cancelling the task ends the wait, too.
    /// - Returns: The durable observers that haven't handled everything, or none if all have.
    @discardableResult
    public func drain(within limit: Duration) async -> [DurableObserverStatus] { await core.drain(within: limit) }

    /// Stops accepting posts, and returns when everything stored was handled, or when the time limit passes. Durable
    /// observers end.
    ///
    /// The remaining notifications stay in the table for the next program that runs the observer.
    ///
    /// - Parameter limit: The maximum time to wait. Cancelling the task ends the wait, too.
    /// - Returns: The durable observers that haven't handled everything, or none if all have.
    @discardableResult
    public func finish(within limit: Duration) async -> [DurableObserverStatus] { await core.finish(within: limit) }

    /// The durable observers of this program.
    public var runningObservers: [DurableObserverStatus] { core.statuses }

    /// Lists the durable observers in the table, including those that other programs run and those that no program runs
    /// any longer.
    public func registeredObservers() async throws -> [DurableObserverRecord] { try await store.observers() }

    /// Removes a durable observer that was renamed or no longer exists, with its dead letters. Nothing is kept for it
    /// any longer.
    ///
    /// - Parameter observer: Its name. A program that runs it receives an ``OutboxFault/Kind/leaseLost``.
    /// - Throws: An error of the database.
    public func removeObserver(named observer: String) async throws { try await store.remove(observer) }
}
