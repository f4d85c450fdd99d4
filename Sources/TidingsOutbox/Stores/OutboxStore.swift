/// Where an outbox keeps notifications, and how far each durable observer has come.
///
/// The package has one for SQLite (trait `GRDB`), one for PostgreSQL, and one in memory for tests. `TidingsConformance` holds a store
/// to what is asked of it here.
///
/// Rows are appended in a transaction of the user's, by a method that each store has of its own, as the transactions differ. What
/// is asked of all of them:
///
/// - A row that is committed has a position. Positions grow, are never given twice, and a row never gets one below a page that was
///   read: whoever has read up to a position has seen all rows below it.
/// - What a session saves is saved as a whole, or not at all; once another program has the observer, it throws
///   ``OutboxError/Code/leaseLost``.
public protocol OutboxStore: Sendable {
    /// Makes the tables, or brings them to the form of this version. It may be called by several programs at once.
    ///
    /// - Returns: The identity of the tables, which rows' identities begin with, and the last position.
    /// - Throws: ``OutboxError/Code/unknownSchema``, or what the database says.
    func prepare() async throws -> (identity: String, last: Int64)

    /// Calls a closure from now on when another program may have stored something.
    ///
    /// - Parameter onChange: The closure, which gets the names of the rows, or `nil` if they are not known. It may be called too often.
    func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async

    /// Ends what ``start(_:)`` has begun.
    func stop() async

    /// Throws why the store can't keep the observers of this program, if it can't. It is called after each ``OutboxOptions/pollInterval``, and
    /// asks the database only if something failed that the store does in the background.
    func check() async throws

    /// The last position: that of whatever is committed when this is called is not above it.
    func last() async throws -> Int64

    /// Takes a durable observer, so that no other program runs it. Without a word in the table, it begins at a position.
    ///
    /// - Parameters:
    ///   - observer: Its name.
    ///   - beginning: The position behind which it begins if it is new.
    /// - Returns: `nil` if another program has it.
    /// - Throws: What the database says.
    func claim(_ observer: String, beginningAt beginning: Int64) async throws -> (any OutboxObserverSession)?

    /// Reads rows behind a position.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - limit: How many rows to look at.
    ///   - names: The names of the rows to return.
    /// - Returns: What was found.
    /// - Throws: What the database says.
    func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage

    /// Reads the rows at some positions; those that are there no more are left out.
    ///
    /// - Parameter positions: The positions.
    /// - Returns: What was found.
    /// - Throws: What the database says.
    func rows(at positions: [Int64]) async throws -> [OutboxRow]

    /// Lists the durable observers that the table knows, whether or not a program runs them.
    func observers() async throws -> [DurableObserverRecord]

    /// The durable observers for which something is held and not buried, also as a call has had it sent again. It is asked for after each
    /// ``OutboxOptions/pollInterval``.
    func observersWithHeldRows() async throws -> Set<String>

    /// Lists what is buried for a durable observer, the oldest first.
    ///
    /// - Parameters:
    ///   - observer: Its name.
    ///   - limit: How many to list.
    /// - Returns: What was found.
    /// - Throws: What the database says.
    func deadLetters(for observer: String, limit: Int) async throws -> [OutboxDeadLetter]

    /// Has buried notifications delivered again.
    ///
    /// - Parameters:
    ///   - observer: The durable observer.
    ///   - positions: Which; `nil` for all.
    /// - Returns: How many.
    /// - Throws: What the database says.
    func redrive(for observer: String, positions: [Int64]?) async throws -> Int

    /// Forgets a durable observer, with what is buried for it.
    ///
    /// - Parameter observer: Its name.
    /// - Throws: What the database says.
    func remove(_ observer: String) async throws

    /// Removes rows that no durable observer waits for.
    ///
    /// - Parameters:
    ///   - time: Only rows that were stored before it, in milliseconds since 1970.
    ///   - seen: Observers that no program has run since then, in milliseconds since 1970, hold nothing up. One that a program runs at
    ///     this moment is not among them, whatever time the table has for it: the clock on the wall may have jumped.
    ///   - limit: How many rows to remove at most.
    /// - Returns: How many were removed, and the observers that have become abandoned by it.
    /// - Throws: What the database says.
    func prune(storedBefore time: Int64, abandonedBefore seen: Int64, limit: Int) async throws
        -> (removed: Int, abandoned: [String])
}

extension OutboxStore {
    /// Throws nothing.
    public func check() async throws {}

    /// The durable observers for which something is held and not buried, of all that the table knows.
    public func observersWithHeldRows() async throws -> Set<String> {
        Set(try await observers().lazy.filter { $0.held > 0 }.map(\.name))
    }
}

/// A durable observer that this program runs.
public protocol OutboxObserverSession: Sendable {
    /// How far the observer had come when it was taken.
    var beginning: OutboxProgress { get }

    /// Makes sure that the observer has not been lost since rows were read: who has lost it does not handle them, as the next session does
    /// not mark what it cannot know of.
    ///
    /// - Throws: ``OutboxError/Code/leaseLost`` if another program has the observer, or may have it.
    func confirm() async throws

    /// Saves progress, in one transaction.
    ///
    /// - Parameter change: What has changed.
    /// - Throws: ``OutboxError/Code/leaseLost`` if another program has the observer, or may have it.
    func save(_ change: OutboxProgressChange) async throws

    /// Reads what is held again, as a call may have had something sent again.
    func held() async throws -> [OutboxHeldRow]

    /// Lets go of the observer, so that another program can take it.
    ///
    /// - Parameter isClean: Whether nothing that is delivered next may have been handled before. If not, the next session finds that it
    ///   ``OutboxProgress/wasInterrupted``.
    func end(isClean: Bool) async
}
