#if Libpq
    /// Connects to PostgreSQL through its C library libpq, for programs that use no other client library.
    public struct LibpqConnector: OutboxPostgresConnector {
        private let parameters: String
        private let timeout: Duration?
        private let preparesStatements: Bool

        /// Creates a connector.
        ///
        /// - Parameters:
        ///   - parameters: The libpq connection string: `host=127.0.0.1 port=5432 user=shop dbname=shop`, or a URI.
        ///     Without a `connect_timeout`, an attempt to connect to a host ends after ten seconds.
        ///   - timeout: The maximum duration of a statement, or `nil` for no limit. If a statement takes longer, its
        ///     connection is closed. The outbox has its own limit for its statements.
        ///   - preparesStatements: Whether statements that are used repeatedly are prepared. Some poolers that assign a
        ///     connection to each transaction don't support prepared statements.
        public init(_ parameters: String, timeout: Duration? = nil, preparesStatements: Bool = true) {
            self.parameters = parameters
            self.timeout = timeout
            self.preparesStatements = preparesStatements
        }

        /// Opens a connection.
        public func connect() async throws -> any OutboxPostgresConnection { try await open() }

        /// Opens a connection for your own transactions. A ``LibpqPool`` opens several connections.
        public func open() async throws -> LibpqConnection {
            let connection = LibpqConnection(timeout: timeout, preparesStatements: preparesStatements)
            try await connection.open(parameters)
            return connection
        }
    }
#endif
