public import Tidings

/// Notifications that survive a crash: they are stored in your own database, in the transaction that they are about.
///
/// ```swift
/// let outbox = try await NotificationOutbox(in: database, of: center)      // GRDB's DatabaseWriter
///
/// try await database.write { db in
///     try order.insert(db)
///     try outbox.post(OrderPlaced(number: order.id), in: db)   // rolled back with the order
/// }
/// ```
///
/// What it promises:
///
/// - A notification is stored if and only if its transaction is committed. Nobody hears of it before.
/// - *Observers of the center* get it after the commit, in the program that has stored it, at most once: when the program is killed in
///   between, they do not.
/// - *Durable observers*, which have a name, get it at least once, in the order of the commits, whichever program runs them, and after
///   any crash. What fails is tried again, then deadLetters: listed, and sent again by a call.
/// - What may have been handled before says so: see ``StoredNotification/mayBeRepeated``. With an `IdentifiedDelivery` in an inbox, an effect
///   in the same database happens once.
/// - No failure is silent: each is posted in the center as an ``OutboxFault``.
///
/// It does not promise more than the database does: what the database calls committed has to be on the disk.
public final class NotificationOutbox<Store: OutboxStore>: Sendable {
    /// Where the notifications are kept.
    public let store: Store

    let core: OutboxCore

    /// Opens an outbox in a store. There is a shorter way for each kind of database.
    ///
    /// - Parameters:
    ///   - store: Where notifications are kept.
    ///   - center: Where they are posted after the commit, and whose monitors know the durable observers.
    ///   - options: How the outbox works.
    ///   - clock: The clock by which it waits.
    /// - Throws: What the store says.
    public init<C: Clock>(
        _ store: Store, of center: any TypedNotificationCenter, options: OutboxOptions = OutboxOptions(), clock: C
    ) async throws where C.Duration == Duration {
        self.store = store
        core = try await OutboxCore(center, store, options, ElapsedClock(clock))
    }

    /// Opens an outbox in a store. There is a shorter way for each kind of database.
    ///
    /// - Parameters:
    ///   - store: Where notifications are kept.
    ///   - center: Where they are posted after the commit, and whose monitors know the durable observers.
    ///   - options: How the outbox works.
    /// - Throws: What the store says.
    public convenience init(
        _ store: Store, of center: any TypedNotificationCenter, options: OutboxOptions = OutboxOptions()
    ) async throws {
        try await self.init(store, of: center, options: options, clock: ContinuousClock())
    }

    /// Opens an outbox with a clock on the wall of its own.
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
    /// - Returns: What a store takes.
    /// - Throws: ``OutboxError/Code/unencodable``, ``OutboxError/Code/payloadTooLarge`` or ``OutboxError/Code/finished``.
    public func encode<N: RemoteNotification>(_ notification: N) throws(OutboxError) -> OutboxPost {
        try core.encode(notification)
    }

    /// Returns when everything that is stored by now has been posted, and handled by the durable observers that this program runs, or
    /// when the time is over.
    ///
    /// - Parameter limit: How long to wait. Cancelling the task ends the wait, too.
    /// - Returns: The durable observers that had not handled everything. None if all has been.
    @discardableResult
    public func drain(within limit: Duration) async -> [DurableObserverStatus] { await core.drain(within: limit) }

    /// Takes nothing new, and returns when what is stored was handled, or when the time is over. Durable observers end.
    ///
    /// What was not handled stays in the table, for the next program that runs the observer.
    ///
    /// - Parameter limit: How long to wait. Cancelling the task ends the wait, too.
    /// - Returns: The durable observers that had not handled everything. None if all has been.
    @discardableResult
    public func finish(within limit: Duration) async -> [DurableObserverStatus] { await core.finish(within: limit) }

    /// The durable observers of this program.
    public var runningObservers: [DurableObserverStatus] { core.statuses }

    /// Lists the durable observers that the table knows, also those that other programs run, and those that nobody runs any more.
    public func registeredObservers() async throws -> [DurableObserverRecord] { try await store.observers() }

    /// Lists what is buried for a durable observer, the oldest first.
    ///
    /// - Parameters:
    ///   - observer: Its name.
    ///   - limit: How many to list.
    /// - Returns: What was found.
    /// - Throws: What the database says.
    public func deadLetters(for observer: String, limit: Int = 100) async throws -> [OutboxDeadLetter] {
        try await store.deadLetters(for: observer, limit: limit)
    }

    /// Has buried notifications delivered again, after whatever their observer has got meanwhile.
    ///
    /// - Parameters:
    ///   - observer: The name of the durable observer.
    ///   - positions: The ``OutboxRow/position`` of each; `nil` for all.
    /// - Returns: How many.
    /// - Throws: What the database says.
    @discardableResult
    public func redrive(for observer: String, positions: [Int64]? = nil) async throws -> Int {
        defer { core.wakeForHeld(observer) }
        return try await store.redrive(for: observer, positions: positions)
    }

    /// Forgets a durable observer that is renamed or gone, with what is buried for it. Nothing is kept for it any more.
    ///
    /// - Parameter observer: Its name. A program that runs it gets an ``OutboxFault/Kind/leaseLost``.
    /// - Throws: What the database says.
    public func removeObserver(named observer: String) async throws { try await store.remove(observer) }
}
