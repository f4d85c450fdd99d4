// A transaction of postgres-nio in which an outbox stores. Compiled where there is postgres-nio, and by the checks with a stub of it.
#if canImport(PostgresNIO)
    import Logging
    import PostgresNIO
    import Synchronization
    import TidingsOutbox

    /// What waits for a commit: whoever begins a transaction makes one, and calls `run` after `COMMIT`.
    final class Commits: Sendable {
        private let actions = Mutex<[@Sendable () -> Void]>([])

        func append(_ action: @escaping @Sendable () -> Void) { actions.withLock { $0.append(action) } }

        func run() {
            let actions = actions.withLock { actions in
                defer { actions = [] }
                return actions
            }
            for action in actions { action() }
        }
    }

    // snippet.transaction
    struct NIOTransaction: TidingsOutbox.OutboxPostgresTransaction {
        let connection: PostgresNIO.PostgresConnection
        let logger: Logger
        // An object with a list behind a lock, which is called after COMMIT.
        let commits: Commits

        func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            var bindings = PostgresBindings()
            for value in values {
                if let value { bindings.append(value) } else { bindings.appendNull() }
            }
            let query = PostgresQuery(unsafeSQL: statement, binds: bindings)
            let rows = try await connection.query(query, logger: logger)
            return try await rows.collect().map { row in try row.map { try $0.decode(String?.self) } }
        }

        func afterCommit(_ action: @escaping @Sendable () -> Void) { commits.append(action) }
    }
// snippet.end
#endif
