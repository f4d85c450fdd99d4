/// The store of an outbox's notifications, and of the progress of each durable observer.
///
/// The package has a store for SQLite (trait `GRDB`), one for PostgreSQL, and one in memory for tests.
/// `TidingsConformance` tests a store against these requirements.
///
/// Rows are appended in a transaction of the user's, with a method that differs between stores, like the transactions.
/// All stores have to meet these requirements:
///
/// - A committed row has a position. Positions grow, are never reused, and a row never gets a position below a page
///   that was read: a reader that has reached a position has seen all rows below it.
/// - A session saves each change completely or not at all. Once another program has claimed the observer, saving throws
///   ``OutboxError/Code/leaseLost``.
public protocol OutboxStore: Sendable {
    /// Creates the tables, or migrates them to this version. Several programs may call it at once.
    ///
    /// - Returns: The identity of the tables, with which the identities of rows begin, and the last position.
    /// - Throws: ``OutboxError/Code/unknownSchema``, or an error of the database.
    func prepare() async throws -> (identity: String, last: Int64)

    /// Starts calling a closure when another program may have stored something.
    ///
    /// - Parameter onChange: The closure, which receives the names of the rows, or `nil` if they aren't known. It may
    ///   be called too often.
    func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async

    /// Ends the work that ``start(_:)`` has started.
    func stop() async

    /// Throws an error if the store can't keep the observers of this program. It is called after each
    /// ``OutboxOptions/pollInterval``, and only queries the database after a failure of the store's background work.
    func check() async throws

    /// Returns the last position. Everything committed before the call is at or below it.
    func last() async throws -> Int64

    /// Assigns positions to the scheduled rows that are due, in the order of their due times, and returns the last
    /// position like ``last()``. Each row gets one position, even if several programs call it at once.
    ///
    /// - Parameter time: The time, in milliseconds since 1970, for a store without a clock of its own.
    /// - Returns: The last position, and the time until the next row is due, or `nil` if there is none.
    /// - Throws: An error of the database.
    func moveDue(at time: Int64) async throws -> (last: Int64, next: Duration?)

    /// Lists the scheduled rows, the next one first.
    ///
    /// - Parameter limit: The maximum number.
    /// - Returns: The rows.
    /// - Throws: An error of the database.
    func scheduled(limit: Int) async throws -> [OutboxScheduledRow]

    /// Removes a scheduled row.
    ///
    /// - Parameter id: Its number.
    /// - Returns: Whether it was still scheduled.
    /// - Throws: An error of the database.
    func cancel(_ id: Int64) async throws -> Bool

    /// Makes a scheduled row due now.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - time: The time, in milliseconds since 1970, for a store without a clock of its own.
    /// - Returns: Whether it was still scheduled.
    /// - Throws: An error of the database.
    func makeDue(_ id: Int64, at time: Int64) async throws -> Bool

    /// Claims a durable observer, so that no other program runs it. If it isn't in the table, it starts at a position.
    ///
    /// - Parameters:
    ///   - observer: Its name.
    ///   - beginning: The position after which it starts if it is new.
    /// - Returns: `nil` if another program has claimed it.
    /// - Throws: An error of the database.
    func claim(_ observer: String, beginningAt beginning: Int64) async throws -> (any OutboxObserverSession)?

    /// Claims a partition of a durable observer, so that no other program runs it.
    ///
    /// An observer begins with one partition, with the index 0. If it has fewer partitions than requested, the claimed
    /// partition is divided: the new ones begin with its progress, and receive the held rows whose keys belong to them.
    /// The number of partitions never decreases. A store that implements only ``claim(_:beginningAt:)`` has one.
    ///
    /// - Parameters:
    ///   - observer: The name of the observer.
    ///   - index: The partition.
    ///   - count: The requested number of partitions, which is a power of two.
    ///   - beginning: The position after which the observer starts if it is new.
    /// - Returns: `nil` if another program has claimed the partition or should claim it, or if it doesn't exist yet.
    /// - Throws: An error of the database.
    func claim(_ observer: String, partition index: Int, of count: Int, beginningAt beginning: Int64)
        async throws
        -> (any OutboxObserverSession)?

    /// Returns the number of partitions of an observer. Another program may have divided a partition that this one
    /// doesn't run.
    ///
    /// - Parameter observer: The name of the observer.
    /// - Returns: `nil` if the store doesn't know it without a query.
    func knownPartitions(of observer: String) -> Int?

    /// Records that this program no longer runs an observer, so that its partitions are distributed among the others.
    ///
    /// - Parameter observer: The name of the observer.
    func leave(_ observer: String) async

    /// Reads rows after a position.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - limit: The maximum number of rows to examine.
    ///   - names: The names of the rows to return.
    /// - Returns: The rows.
    /// - Throws: An error of the database.
    func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage

    /// Reads the rows at some positions. Rows that no longer exist are omitted.
    ///
    /// - Parameter positions: The positions.
    /// - Returns: The rows.
    /// - Throws: An error of the database.
    func rows(at positions: [Int64]) async throws -> [OutboxRow]

    /// Lists the durable observers in the table, whether or not a program runs them.
    func observers() async throws -> [DurableObserverRecord]

    /// Returns the durable observers with held rows that aren't dead letters, including redelivered ones. It is called
    /// after each ``OutboxOptions/pollInterval``.
    func observersWithHeldRows() async throws -> Set<String>

    /// Lists the dead letters of a durable observer, oldest first.
    ///
    /// - Parameters:
    ///   - observer: Its name.
    ///   - limit: The maximum number.
    /// - Returns: The dead letters.
    /// - Throws: An error of the database.
    func deadLetters(for observer: String, limit: Int) async throws -> [OutboxDeadLetter]

    /// Redelivers dead letters.
    ///
    /// - Parameters:
    ///   - observer: The durable observer.
    ///   - positions: The positions; `nil` for all.
    /// - Returns: The number of dead letters.
    /// - Throws: An error of the database.
    func redrive(for observer: String, positions: [Int64]?) async throws -> Int

    /// Removes dead letters, and rows that are retried or wait behind one.
    ///
    /// - Parameters:
    ///   - observer: The durable observer.
    ///   - positions: The positions; `nil` for all dead letters, and no other rows.
    /// - Returns: The number of removed rows.
    /// - Throws: An error of the database.
    func drop(for observer: String, positions: [Int64]?) async throws -> Int

    /// Lists the rows that are retried, and those that wait behind them, oldest first, without dead letters.
    ///
    /// - Parameters:
    ///   - observer: The durable observer.
    ///   - limit: The maximum number.
    /// - Returns: The rows.
    /// - Throws: An error of the database.
    func waiting(for observer: String, limit: Int) async throws -> [OutboxWaitingRow]

    /// Removes old dead letters, and old identities in the inbox. It is called at most once a minute.
    ///
    /// The age of a dead letter counts from the first call after it became one.
    ///
    /// - Parameters:
    ///   - deadLetters: The minimum age of a dead letter; `nil` if they are kept.
    ///   - inbox: The minimum age of an identity; `nil` if they are kept.
    ///   - time: The time, in milliseconds since 1970, for a store without a clock of its own.
    ///   - limit: The maximum number to remove of each kind.
    /// - Returns: The number of removed entries. Each is counted once, even if several programs call it at once.
    /// - Throws: An error of the database.
    func expire(deadLetters: Duration?, inbox: Duration?, at time: Int64, limit: Int) async throws -> OutboxExpiry

    /// Removes a durable observer with its dead letters.
    ///
    /// - Parameter observer: Its name.
    /// - Throws: An error of the database.
    func remove(_ observer: String) async throws

    /// Removes rows that no durable observer needs.
    ///
    /// - Parameters:
    ///   - time: Only rows stored before this time are removed, in milliseconds since 1970.
    ///   - seen: Observers that no program has run since this time, in milliseconds since 1970, don't prevent the
    ///     removal. An observer that a program is running isn't among them, whatever time the table contains for it,
    ///     because the wall clock may have jumped.
    ///   - limit: The maximum number of rows to remove.
    /// - Returns: The number of removed rows, and the observers that became abandoned by it.
    /// - Throws: An error of the database.
    func prune(storedBefore time: Int64, abandonedBefore seen: Int64, limit: Int) async throws
        -> (removed: Int, abandoned: [String])
}

extension OutboxStore {
    /// Never throws.
    public func check() async throws {}

    /// Returns the last position, for a store without scheduled rows.
    public func moveDue(at time: Int64) async throws -> (last: Int64, next: Duration?) { (try await last(), nil) }

    /// Returns no rows, for a store without scheduled rows.
    public func scheduled(limit: Int) async throws -> [OutboxScheduledRow] { [] }

    /// Returns false, for a store without scheduled rows.
    public func cancel(_ id: Int64) async throws -> Bool { false }

    /// Returns false, for a store without scheduled rows.
    public func makeDue(_ id: Int64, at time: Int64) async throws -> Bool { false }

    /// Claims the observer, which has one partition.
    public func claim(
        _ observer: String, partition index: Int, of count: Int, beginningAt beginning: Int64
    ) async throws -> (any OutboxObserverSession)? {
        index == 0 ? try await claim(observer, beginningAt: beginning) : nil
    }

    /// Returns `nil`.
    public func knownPartitions(of observer: String) -> Int? { nil }

    /// Does nothing.
    public func leave(_ observer: String) async {}

    /// Returns the durable observers with held rows that aren't dead letters, from the list of all observers.
    public func observersWithHeldRows() async throws -> Set<String> {
        Set(try await observers().lazy.filter { $0.held > 0 }.map(\.name))
    }
}

/// A durable observer that this program runs.
public protocol OutboxObserverSession: Sendable {
    /// The progress of the observer when it was claimed.
    var beginning: OutboxProgress { get }

    /// Whether to release the partition soon, because another program runs fewer. It is read after each notification.
    var isWantedElsewhere: Bool { get }

    /// Verifies that the observer hasn't been lost since rows were read. A program that has lost it doesn't handle the
    /// rows, because the next session couldn't mark them as possibly repeated.
    ///
    /// - Throws: ``OutboxError/Code/leaseLost`` if another program has claimed the observer, or may have.
    func confirm() async throws

    /// Saves progress, in one transaction.
    ///
    /// - Parameter change: The changes.
    /// - Returns: The positions of the updated rows that were dropped.
    /// - Throws: ``OutboxError/Code/leaseLost`` if another program has claimed the observer, or may have.
    @discardableResult
    func save(_ change: OutboxProgressChange) async throws -> Set<Int64>

    /// Reads the held rows again, because a call may have redelivered dead letters, or dropped rows.
    func held() async throws -> [OutboxHeldRow]

    /// Releases the observer, so that another program can claim it.
    ///
    /// - Parameter isClean: Whether no row that is delivered next may have been handled before. If it is false,
    ///   ``OutboxProgress/wasInterrupted`` is true for the next session.
    func end(isClean: Bool) async
}

extension OutboxObserverSession {
    /// False: the partitions of the store aren't distributed.
    public var isWantedElsewhere: Bool { false }
}
