#if PostgreSQL
    import TidingsOutbox

    /// A small pool of PostgreSQL connections, each with one transaction at a time. A connection that has failed is
    /// replaced.
    actor PostgresConnections {
        private let connector: LibpqConnector
        private var free: [LibpqConnection] = []
        /// The number of connections that may still be created.
        private var left: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ connector: LibpqConnector, atMost most: Int) {
            self.connector = connector
            left = most
        }

        /// Runs a transaction, which is committed when the closure returns.
        func transaction<Result: Sendable>(
            _ body: @Sendable (any OutboxPostgresTransaction) async throws -> Result
        ) async throws -> Result {
            try await with { try await $0.transaction(body) }
        }

        /// Runs a statement outside of a transaction.
        func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            try await with { try await $0.run(statement, values) }
        }

        private func with<Result: Sendable>(
            _ body: @Sendable (LibpqConnection) async throws -> Result
        ) async throws -> Result {
            while free.isEmpty, left == 0 { await withCheckedContinuation { waiting.append($0) } }
            var connection = free.popLast()
            if connection == nil { left -= 1 }
            defer {
                if let connection { free.append(connection) } else { left += 1 }
                if !waiting.isEmpty { waiting.removeFirst().resume() }
            }
            do {
                let one: LibpqConnection
                if let connection { one = connection } else { one = try await connector.open() }
                connection = one
                return try await body(one)
            } catch let error as OutboxPostgresConnectionEnded {
                await connection?.close()
                connection = nil
                throw error
            }
        }
    }
#endif
