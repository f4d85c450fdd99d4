#if Libpq
    /// A pool of connections for your own transactions. Connections are opened when needed, and replaced when they end.
    ///
    /// ```swift
    /// let pool = LibpqPool(LibpqConnector("host=127.0.0.1 user=shop dbname=shop", timeout: .seconds(30)))
    /// try await pool.transaction { transaction in
    ///     try await transaction.run("INSERT INTO orders(id) VALUES($1::text::bigint)", ["7"])
    ///     try await outbox.post(OrderPlaced(number: 7), in: transaction)
    /// }
    /// ```
    public final class LibpqPool: Sendable {
        private struct State {
            var idle: [LibpqConnection] = []
            var count = 0
            /// The tasks that wait for a connection. A task that receives `nil` opens a connection itself.
            var waiting: [CheckedContinuation<LibpqConnection?, Never>] = []
            var isClosed = false
        }

        private let connector: LibpqConnector
        private let size: Int
        private let state = Lock(State())

        /// Creates a pool.
        ///
        /// - Parameters:
        ///   - connector: Opens connections.
        ///   - size: The maximum number of connections, at least one. Further transactions wait.
        public init(_ connector: LibpqConnector, size: Int = 10) {
            self.connector = connector
            self.size = max(1, size)
        }

        /// Runs a transaction. Commits it, or rolls it back if the closure throws.
        ///
        /// If the connection has ended since its last use, the transaction begins on another connection.
        ///
        /// - Parameter body: The work of the transaction.
        /// - Returns: The result of the closure.
        /// - Throws: An error of the closure or of the database. If the connection ends during the commit, the
        ///   transaction may still be committed.
        public func transaction<Result>(_ body: (any OutboxPostgresTransaction) async throws -> Result) async throws
            -> Result
        {
            while true {
                let (connection, isNew) = try await take()
                do {
                    return try await use(connection) { try await $0.begin(body) }
                } catch let error as LibpqConnection.NotBegun {
                    if isNew { throw error.reason }
                }
            }
        }

        private func use<Result>(
            _ connection: LibpqConnection, _ body: (LibpqConnection) async throws -> Result
        ) async throws -> Result {
            do {
                let result = try await body(connection)
                await giveBack(connection)
                return result
            } catch {
                await giveBack(connection)
                throw error
            }
        }

        /// Runs one statement, and commits it at once. If the connection ends during the call, the statement isn't
        /// repeated, because it may have been executed.
        ///
        /// - Parameters:
        ///   - statement: The statement, with the parameters `$1`, `$2` and so on.
        ///   - values: The values of the parameters.
        /// - Returns: The rows, each with its columns.
        /// - Throws: An error of the database.
        @discardableResult
        public func run(_ statement: String, _ values: [String?] = []) async throws -> [[String?]] {
            try await use(take().connection) { try await $0.run(statement, values) }
        }

        /// Closes the connections. A connection in use is closed when it is returned.
        public func close() async {
            let (idle, waiting) = state.withLock { state in
                state.isClosed = true
                defer { (state.idle, state.waiting) = ([], []) }
                return (state.idle, state.waiting)
            }
            for continuation in waiting { continuation.resume(returning: nil) }
            for connection in idle { await connection.close() }
        }

        private func take() async throws -> (connection: LibpqConnection, isNew: Bool) {
            while true {
                let known: LibpqConnection? = await withCheckedContinuation { continuation in
                    let (connection, isNow) = state.withLock { state -> (LibpqConnection?, Bool) in
                        if let connection = state.idle.popLast() { return (connection, true) }
                        if state.count >= size, !state.isClosed {
                            state.waiting.append(continuation)
                            return (nil, false)
                        }
                        state.count += 1
                        return (nil, true)
                    }
                    if isNow { continuation.resume(returning: connection) }
                }
                if state.withLock({ $0.isClosed }) {
                    await known?.close()
                    throw OutboxPostgresConnectionEnded("the pool is closed")
                }
                guard let known else {
                    do { return (try await connector.open(), true) } catch {
                        passOnPlace()
                        throw error
                    }
                }
                if await known.isReady { return (known, false) }
                await known.close()
                passOnPlace()
            }
        }

        private func giveBack(_ connection: LibpqConnection) async {
            if await !connection.isReady {
                await connection.close()
                return passOnPlace()
            }
            let (next, isKept) = state.withLock { state -> (CheckedContinuation<LibpqConnection?, Never>?, Bool) in
                if state.isClosed { return (nil, false) }
                if !state.waiting.isEmpty { return (state.waiting.removeFirst(), true) }
                state.idle.append(connection)
                return (nil, true)
            }
            next?.resume(returning: connection)
            if !isKept { await connection.close() }
        }

        private func passOnPlace() {
            let next: CheckedContinuation<LibpqConnection?, Never>? = state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.count -= 1
                return nil
            }
            next?.resume(returning: nil)
        }
    }
#endif
