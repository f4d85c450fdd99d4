// A transaction of postgres-nio in which an outbox stores rows. This file is compiled where postgres-nio is available,
// and by the checks with a stub.
#if canImport(PostgresNIO)
    import Logging
    import PostgresNIO
    import Synchronization
    import TidingsOutbox

    /// The actions that wait for a commit. The code that begins a transaction creates this object, and calls `run`
    /// after `COMMIT`.
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
        // The actions of afterCommit, which run after COMMIT.
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
