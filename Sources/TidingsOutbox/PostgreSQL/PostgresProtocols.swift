/// Runs statements in PostgreSQL. It is the outbox's requirement for a client library.
///
/// A client library has a type for a transaction or a connection. Write an extension of it, or a wrapper, that passes
/// statements on. All values, and all columns of the result, are text or null: the statements cast them.
public protocol OutboxPostgresTransaction: Sendable {
    /// Runs one statement, whose parameters are `$1`, `$2` and so on.
    ///
    /// - Parameters:
    ///   - statement: The statement. The same statements are used repeatedly, so preparing them is worthwhile.
    ///   - values: The values of the parameters.
    /// - Returns: The rows, each with its columns.
    /// - Throws: An error of the database.
    @discardableResult
    func run(_ statement: String, _ values: [String?]) async throws -> [[String?]]

    /// Calls a closure once the transaction is committed, and never if it isn't. A transaction without that information
    /// does nothing. In that case the outbox finds the stored rows within ``OutboxOptions/pollInterval``, and observers
    /// of the center in this program don't receive them.
    ///
    /// - Parameter action: The closure.
    func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension OutboxPostgresTransaction {
    /// Does nothing.
    public func afterCommit(_ action: @escaping @Sendable () -> Void) {}
}

/// A connection to PostgreSQL for the exclusive use of the outbox. Statements run one after the other, each committed
/// at once.
public protocol OutboxPostgresConnection: OutboxPostgresTransaction {
    /// Calls a closure with each notification that the server sends on the channels that the connection listens to, and
    /// once with `nil` when the connection has ended.
    ///
    /// - Parameter receive: The closure.
    func onNotification(_ receive: @escaping @Sendable (String?) -> Void)

    /// Closes the connection. A running statement without a response ends with an error, because the outbox closes a
    /// connection that doesn't respond.
    func close() async
}

/// Opens connections to one PostgreSQL database.
public protocol OutboxPostgresConnector: Sendable {
    /// Opens a connection.
    ///
    /// - Throws: The reason why it can't be opened.
    func connect() async throws -> any OutboxPostgresConnection
}
