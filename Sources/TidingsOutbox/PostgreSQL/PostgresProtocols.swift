/// A transaction or a connection of a PostgreSQL client library, in which the outbox runs statements.
///
/// Make the library's type, or a wrapper of it, conform to this protocol. The outbox passes every value as text or
/// null, and reads every column as text or null. Its statements cast the text to other types: `$1::text::bigint`.
public protocol OutboxPostgresTransaction: Sendable {
    /// Runs one statement, whose parameters are `$1`, `$2` and so on.
    ///
    /// - Parameters:
    ///   - statement: The statement. The outbox repeats the same statements, so prepare them.
    ///   - values: The values of the parameters.
    /// - Returns: The rows, each with its columns.
    /// - Throws: An error of the database.
    @discardableResult
    func run(_ statement: String, _ values: [String?]) async throws -> [[String?]]

    /// Calls a closure when the transaction is committed, but not if it is rolled back.
    ///
    /// The default implementation does nothing. Durable observers then receive the notifications after at most about
    /// one ``OutboxOptions/pollInterval``, and observers of the center don't receive them.
    ///
    /// - Parameter action: The closure.
    func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension OutboxPostgresTransaction {
    /// Does nothing.
    public func afterCommit(_ action: @escaping @Sendable () -> Void) {}
}

/// A connection to PostgreSQL that only the outbox uses. Each statement runs alone, and is committed at once.
public protocol OutboxPostgresConnection: OutboxPostgresTransaction {
    /// Calls a closure with each notification from the server, and once with `nil` if the connection ends. The closure
    /// needn't be called after ``close()``.
    ///
    /// - Parameter receive: The closure.
    func onNotification(_ receive: @escaping @Sendable (String?) -> Void)

    /// Closes a connection that doesn't respond or is no longer needed. A statement that waits for a response fails.
    func close() async
}

/// Opens connections to one PostgreSQL database.
public protocol OutboxPostgresConnector: Sendable {
    /// Opens a connection.
    ///
    /// - Throws: An error if the connection can't be opened.
    func connect() async throws -> any OutboxPostgresConnection
}
