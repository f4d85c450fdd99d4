#if Libpq
    import Tidings

    /// Connects to PostgreSQL through libpq, its C client, for programs that use no other client.
    public struct LibpqConnector: OutboxPostgresConnector {
        private let parameters: String
        private let timeout: Duration?
        private let preparesStatements: Bool

        /// Makes a connector.
        ///
        /// - Parameters:
        ///   - parameters: Where the database is, as libpq reads it: `host=127.0.0.1 port=5432 user=shop dbname=shop`, or an address. Without
        ///     a `connect_timeout`, an attempt to connect ends after ten seconds.
        ///   - timeout: How long a statement may take. Then its connection ends. `nil` for as long as it takes: the outbox has a limit of
        ///     its own for its statements.
        ///   - preparesStatements: Whether statements that come again and again are prepared. A pooler that assigns a connection for each
        ///     transaction may not allow it.
        public init(_ parameters: String, timeout: Duration? = nil, preparesStatements: Bool = true) {
            self.parameters = parameters
            self.timeout = timeout
            self.preparesStatements = preparesStatements
        }

        /// Makes a connection.
        public func connect() async throws -> any OutboxPostgresConnection { try await open() }

        /// Makes a connection, for transactions of your own. A ``LibpqPool`` has several, and replaces those that have ended.
        public func open() async throws -> LibpqConnection {
            let connection = LibpqConnection(timeout: timeout, preparesStatements: preparesStatements)
            try await connection.open(parameters)
            return connection
        }
    }
#endif
