/// Runs a statement in PostgreSQL: what an outbox asks of a client library.
///
/// A client library has a type for a transaction, or a connection. Write an extension of it, or a wrapper, that passes statements on.
/// All values, and all columns of the answer, are text or null: the statements cast them.
public protocol OutboxPostgresTransaction: Sendable {
    /// Runs one statement, whose parameters are `$1`, `$2` and so on.
    ///
    /// - Parameters:
    ///   - statement: The statement. The same ones come again and again, so a prepared statement is worth while.
    ///   - values: The values of the parameters.
    /// - Returns: The rows, each with its columns.
    /// - Throws: What the database says.
    @discardableResult
    func run(_ statement: String, _ values: [String?]) async throws -> [[String?]]

    /// Calls a closure once the transaction is committed, and never if it is not. A transaction that cannot tell does nothing: then the
    /// outbox finds what was stored by itself, ``OutboxOptions/pollInterval`` later at most, and observers of the center in this program
    /// do not get it.
    ///
    /// - Parameter action: The closure.
    func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension OutboxPostgresTransaction {
    /// Does nothing.
    public func afterCommit(_ action: @escaping @Sendable () -> Void) {}
}

/// A connection to PostgreSQL that the outbox has for itself. Statements are run one after the other, each committed at once.
public protocol OutboxPostgresConnection: OutboxPostgresTransaction {
    /// Calls a closure from now on with each notification that the server sends for what the connection listens to, and once with `nil`
    /// when the connection has ended.
    ///
    /// - Parameter receive: The closure.
    func onNotification(_ receive: @escaping @Sendable (String?) -> Void)

    /// Closes the connection. A statement that runs, and has no answer, ends with an error: the outbox closes a connection that doesn't
    /// answer.
    func close() async
}

/// Makes connections to one database of PostgreSQL.
public protocol OutboxPostgresConnector: Sendable {
    /// Makes a connection.
    ///
    /// - Throws: Why there is none.
    func connect() async throws -> any OutboxPostgresConnection
}
