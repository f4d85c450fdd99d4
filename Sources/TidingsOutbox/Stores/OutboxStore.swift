/// The store of an outbox's notifications, and of the progress of each durable observer.
///
/// The package has stores for SQLite (trait `GRDB`), for PostgreSQL, and in memory for tests.
///
/// Your transactions append rows, with a method that differs between stores. All stores must meet the following
/// requirements, which ``OutboxStoreConformance`` tests:
///
/// - A committed row has a position. Positions increase and are never reused. A row never gets a position below one
///   that was already read, so a reader that has reached a position has read all rows below it.
/// - A session saves each change completely or not at all. When another program has claimed the observer, saving throws
///   ``OutboxError/Code/leaseLost``.
public protocol OutboxStore: Sendable {
    /// Creates the tables, or migrates them to this version. Several programs may call this at the same time.
    ///
    /// - Returns: The identity of the tables, which is a prefix of each row's identity, and the last position.
    /// - Throws: ``OutboxError/Code/unknownSchema``, or an error of the database.
    func prepare() async throws -> (identity: String, last: Int64)

    /// Starts calling a closure whenever another program may have stored rows.
    ///
    /// - Parameter onChange: The closure. It receives the names of the rows, or `nil` if they aren't known.
    func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async

    /// Ends the work that ``start(_:)`` has started.
    func stop() async

    /// Throws an error if the store can't keep the observers of this program running.
    ///
    /// Called at least every ``OutboxOptions/pollInterval``. Query the database only after background work has failed.
    func check() async throws

    /// Returns the last position. All rows that were committed before the call are at or below this position.
    func last() async throws -> Int64

    /// Assigns positions to the scheduled rows that are due, in the order of their due times. Each row gets one
    /// position, even if several programs call this at the same time.
    ///
    /// - Parameter time: The time in milliseconds since 1970, for a store that has no clock.
    /// - Returns: The last position, and the time until the next row is due, or `nil` if no row is scheduled.
    /// - Throws: An error of the database.
    func moveDue(at time: Int64) async throws -> (last: Int64, next: Duration?)

    /// Returns at most `limit` scheduled rows, in the order in which they are due.
    func scheduled(limit: Int) async throws -> [OutboxScheduledRow]

    /// Removes the scheduled row with a given ``OutboxRow/id``. Returns whether the row was still scheduled.
    func cancel(_ id: Int64) async throws -> Bool

    /// Makes a scheduled row due now. Returns whether the row was still scheduled.
    func makeDue(_ id: Int64, at time: Int64) async throws -> Bool

    /// Claims a partition of a durable observer, so that no other program runs it.
    ///
    /// A new observer is added to the table with one partition, whose index is 0. If the observer has fewer partitions
    /// than requested, the claimed partition is divided. The new partitions start with the progress of the divided one,
    /// and receive the held rows whose keys belong to them. The number of partitions never decreases. A store that
    /// doesn't divide observers returns `nil` for every index but 0.
    ///
    /// - Parameters:
    ///   - observer: The name of the observer.
    ///   - index: The index of the partition.
    ///   - count: The requested number of partitions, which is a power of two.
    ///   - beginning: The position after which a new observer starts.
    /// - Returns: The session, or `nil` if the partition doesn't exist, or if another program runs or should run it.
    /// - Throws: An error of the database.
    func claim(_ observer: String, partition index: Int, of count: Int, beginningAt beginning: Int64)
        async throws
        -> (any OutboxObserverSession)?

    /// Returns the number of an observer's partitions, which may be outdated, or `nil` if the store would need a query.
    func knownPartitions(of observer: String) -> Int?

    /// Records that this program no longer runs an observer, so that other programs run its partitions.
    func leave(_ observer: String) async

    /// Records that this program can't read an observer's next notification. For a while, only other programs run the
    /// observer's partitions.
    func standAside(for observer: String) async

    /// Reads the rows with the given names after a position. Examines at most `limit` rows: see ``OutboxRowPage/end``.
    func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage

    /// Reads the rows at some positions. Rows that no longer exist are omitted.
    func rows(at positions: [Int64]) async throws -> [OutboxRow]

    /// Lists the durable observers in the table, whether or not a program runs them.
    func observers() async throws -> [DurableObserverRecord]

    /// Returns the durable observers with held rows other than dead letters. A redelivered dead letter is a held row.
    /// The outbox calls this method about once in each ``OutboxOptions/pollInterval``.
    func observersWithHeldRows() async throws -> Set<String>

    /// Returns at most `limit` dead letters of a durable observer, oldest first.
    func deadLetters(for observer: String, limit: Int) async throws -> [OutboxDeadLetter]

    /// Redelivers the dead letters at some positions, or all of them with `nil`. Returns their number.
    func redrive(for observer: String, positions: [Int64]?) async throws -> Int

    /// Removes the rows at some positions if they are dead letters, are retried, or wait behind a retried row. With
    /// `nil`, removes all dead letters and no other rows. Returns the number of removed rows.
    func drop(for observer: String, positions: [Int64]?) async throws -> Int

    /// Returns at most `limit` rows that are retried or wait behind a retried one, oldest first, without dead letters.
    func waiting(for observer: String, limit: Int) async throws -> [OutboxWaitingRow]

    /// Removes old dead letters and inbox identities. The outbox calls this about once a minute, or more often if one
    /// of the ages is short. The age of a dead letter is measured from the first call after the row became a dead
    /// letter.
    ///
    /// - Parameters:
    ///   - deadLetters: The minimum age of the dead letters to remove, or `nil` to keep them.
    ///   - inbox: The minimum age of the identities to remove, or `nil` to keep them.
    ///   - time: The time in milliseconds since 1970, for a store that has no clock.
    ///   - limit: The maximum number of entries of each kind.
    /// - Returns: The number of removed entries. Each entry is counted once, even if several programs call this at the
    ///   same time.
    /// - Throws: An error of the database.
    func expire(deadLetters: Duration?, inbox: Duration?, at time: Int64, limit: Int) async throws -> OutboxExpiry

    /// Removes a durable observer with its dead letters.
    func remove(_ observer: String) async throws

    /// Removes rows that no durable observer needs.
    ///
    /// - Parameters:
    ///   - time: The time in milliseconds since 1970. Only rows that were stored before this time are removed.
    ///   - seen: The time in milliseconds since 1970. An observer that no program has run since this time becomes
    ///     abandoned, and its rows are no longer kept. A running observer never becomes abandoned, even if the wall
    ///     clock jumps.
    ///   - limit: The maximum number of rows to remove.
    /// - Returns: The number of removed rows, and the observers that have become abandoned.
    /// - Throws: An error of the database.
    func prune(storedBefore time: Int64, abandonedBefore seen: Int64, limit: Int) async throws
        -> (removed: Int, abandoned: [String])
}

extension OutboxStore {
    /// Does nothing.
    public func check() async throws {}

    /// Returns the last position, for a store without scheduled rows.
    public func moveDue(at time: Int64) async throws -> (last: Int64, next: Duration?) { (try await last(), nil) }

    /// Returns an empty array.
    public func scheduled(limit: Int) async throws -> [OutboxScheduledRow] { [] }

    /// Returns false.
    public func cancel(_ id: Int64) async throws -> Bool { false }

    /// Returns false.
    public func makeDue(_ id: Int64, at time: Int64) async throws -> Bool { false }

    package func claim(_ observer: String, beginningAt beginning: Int64) async throws -> (any OutboxObserverSession)? {
        try await claim(observer, partition: 0, of: 1, beginningAt: beginning)
    }

    /// Returns `nil`.
    public func knownPartitions(of observer: String) -> Int? { nil }

    /// Does nothing.
    public func leave(_ observer: String) async {}

    /// Does nothing.
    public func standAside(for observer: String) async {}

    /// Returns the durable observers with held rows that aren't dead letters, from the list of all observers.
    public func observersWithHeldRows() async throws -> Set<String> {
        Set(try await observers().lazy.filter { $0.held > 0 }.map(\.name))
    }
}

/// A durable observer that this program runs.
public protocol OutboxObserverSession: Sendable {
    /// The progress of the observer when it was claimed.
    var beginning: OutboxProgress { get }

    /// Whether to release the partition, because another program should run it. It is read between notifications.
    var isWantedElsewhere: Bool { get }

    /// Verifies that this program hasn't lost the observer. The outbox calls this between reading and handling new
    /// rows. If the observer is lost, the rows aren't handled, because the next session couldn't mark them as possibly
    /// repeated.
    ///
    /// - Throws: ``OutboxError/Code/leaseLost`` if another program has, or may have, claimed the observer.
    func confirm() async throws

    /// Saves progress, in one transaction.
    ///
    /// - Parameter change: The changes.
    /// - Returns: The positions of rows in `change.updated` that the store no longer holds, because they were dropped.
    /// - Throws: ``OutboxError/Code/leaseLost`` if another program has, or may have, claimed the observer.
    @discardableResult
    func save(_ change: OutboxProgressChange) async throws -> Set<Int64>

    /// Reads the held rows again, because dead letters may have been redelivered, or rows dropped.
    func held() async throws -> [OutboxHeldRow]

    /// Releases the observer, so that another program can claim it.
    ///
    /// - Parameter isClean: Whether no row after the saved progress was handled. If it is false,
    ///   ``OutboxProgress/wasInterrupted`` is true for the next session.
    func end(isClean: Bool) async
}

extension OutboxObserverSession {
    /// Returns false, for a store that doesn't distribute partitions among programs.
    public var isWantedElsewhere: Bool { false }
}
