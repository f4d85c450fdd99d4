#if Libpq
    import Dispatch

    /// A connection to PostgreSQL through libpq.
    ///
    /// Tasks can share the connection. While a task has a ``transaction(_:)`` open, the statements and transactions of
    /// other tasks wait. A connection that has ended can't be reopened. A ``LibpqPool`` replaces such a connection.
    public final class LibpqConnection: OutboxPostgresConnection {
        /// The transactions in which the task was created or runs. Those that have ended don't count.
        @TaskLocal private static var transactions: [TransactionMark] = []

        private let queue = DispatchQueue(label: "tidings.libpq")
        private let turns = Turns()
        private let client: LibpqClient
        private let timeout: Duration?

        init(timeout: Duration?, preparesStatements: Bool) {
            self.timeout = timeout
            client = LibpqClient(preparesStatements: preparesStatements)
        }

        private func perform<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result { try body() }) }
            }
        }

        func open(_ parameters: String) async throws {
            try await perform { [client] in try client.open(parameters) }
        }

        /// Runs one statement. While another task has a transaction open, the statement waits.
        @discardableResult
        public func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            try await checkTask()
            await turns.take()
            defer { turns.giveBack() }
            return try await execute(statement, values)
        }

        fileprivate func execute(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            let run = { @Sendable [self] in try await perform { [client] in try client.execute(statement, values) } }
            let answer: LibpqClient.Answer
            if let timeout {
                do { answer = try await withTimeout(timeout, run) } catch let error as OutboxError {
                    client.abort()
                    throw OutboxPostgresConnectionEnded(error.detail)
                }
            } else {
                answer = try await run()
            }
            for commit in answer.commits { commit() }
            return answer.rows
        }

        /// Throws if the task has a transaction open here, because the call would wait for that transaction forever.
        private func checkTask() async throws {
            if Self.transactions.contains(where: { $0.isOpen(on: self) }) {
                throw OutboxPostgresStatementFailed("the task has an open transaction: run the statement in it")
            }
        }

        /// Calls a closure with each notification from the server, and once with `nil` if the connection ends. After
        /// ``close()``, the closure isn't called.
        public func onNotification(_ receive: @escaping @Sendable (String?) -> Void) {
            queue.async { [client, queue] in client.listen(on: queue, receive) }
        }

        /// Closes the connection. A running statement fails.
        public func close() async {
            client.abort()
            _ = try? await perform { [client] in client.finish() }
        }

        var isReady: Bool { get async { (try? await perform { [client] in client.isReady }) ?? false } }

        /// Calls a closure when the transaction is committed, or at once if no transaction is open.
        public func afterCommit(_ action: @escaping @Sendable () -> Void) {
            if !client.add(action) { action() }
        }

        /// Runs a transaction. Commits it, or rolls it back if the closure throws. One transaction runs at a time.
        ///
        /// - Parameter body: The work, which must use the transaction that it receives, not the connection.
        /// - Returns: The result of the closure.
        /// - Throws: An error of the closure or of the database.
        public func transaction<Result>(_ body: (any OutboxPostgresTransaction) async throws -> Result) async throws
            -> Result
        {
            do { return try await begin(body) } catch let error as NotBegun { throw error.reason }
        }

        struct NotBegun: Error {
            let reason: OutboxPostgresConnectionEnded
        }

        /// Throws ``NotBegun`` if the connection ended before the transaction began.
        func begin<Result>(_ body: (any OutboxPostgresTransaction) async throws -> Result) async throws -> Result {
            try await checkTask()
            await turns.take()
            defer { turns.giveBack() }
            do { _ = try await execute("BEGIN", []) } catch let error as OutboxPostgresConnectionEnded {
                throw NotBegun(reason: error)
            }
            let transaction = LibpqTransaction(self)
            do {
                let result = try await Self.$transactions.withValue(Self.transactions + [transaction.mark]) {
                    try await body(transaction)
                }
                transaction.end()
                // If the closure ignored a failed statement, the commit would roll back without an error.
                if try await perform({ [client] in try client.hasFailed }) {
                    throw OutboxPostgresStatementFailed("a statement of the transaction has failed")
                }
                _ = try await execute("COMMIT", [])
                return result
            } catch {
                transaction.end()
                _ = try? await execute("ROLLBACK", [])
                throw error
            }
        }
    }

    /// Marks the tasks of a transaction. A task that outlives the transaction retains this object, not the connection.
    private final class TransactionMark: Sendable {
        /// Identifies the connection while the transaction is open, because the transaction retains the connection.
        let connection: ObjectIdentifier
        let isOver = Lock(false)

        init(_ connection: LibpqConnection) { self.connection = ObjectIdentifier(connection) }

        func isOpen(on other: LibpqConnection) -> Bool {
            connection == ObjectIdentifier(other) && !isOver.withLock { $0 }
        }
    }

    private final class LibpqTransaction: OutboxPostgresTransaction {
        private let connection: LibpqConnection
        let mark: TransactionMark

        init(_ connection: LibpqConnection) {
            self.connection = connection
            mark = TransactionMark(connection)
        }

        func end() { mark.isOver.withLock { $0 = true } }

        func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            if mark.isOver.withLock({ $0 }) { throw OutboxPostgresStatementFailed("the transaction has ended") }
            return try await connection.execute(statement, values)
        }

        func afterCommit(_ action: @escaping @Sendable () -> Void) { connection.afterCommit(action) }
    }

    /// An error that PostgreSQL reports for a statement.
    public struct OutboxPostgresStatementFailed: Error, Hashable, Sendable, CustomStringConvertible {
        /// The server's message.
        public let description: String

        init(_ description: String) { self.description = description }
    }
#endif
