#if Libpq
    import Tidings
    import TidingsOutbox

    /// Cuts a connection at a chosen statement, before or after the server has executed it.
    final class CuttingConnector: OutboxPostgresConnector {
        private struct State {
            var left: Int?
            var isCutAfter = false
            var isAway = false
            var connections: [Connection] = []
        }

        private let base: LibpqConnector
        private let state = Lock(State())

        init(_ base: LibpqConnector) { self.base = base }

        /// Cuts the connection at the given statement. Statement 1 is the first statement after this call.
        func cut(at statement: Int?, after: Bool) {
            state.withLock { state in
                state.left = statement
                state.isCutAfter = after
            }
        }

        /// Cuts all connections, and prevents new ones until ``comeBack()``.
        func goAway() async {
            let connections = state.withLock { state in
                state.isAway = true
                defer { state.connections = [] }
                return state.connections
            }
            for connection in connections { await connection.close() }
        }

        func comeBack() { state.withLock { $0.isAway = false } }

        /// Whether the statement that was passed to ``cut(at:after:)`` hasn't been reached yet.
        var isWaiting: Bool { state.withLock { $0.left != nil } }

        func connect() async throws -> any OutboxPostgresConnection {
            if state.withLock({ $0.isAway }) { throw OutboxPostgresConnectionEnded("the server is away") }
            let connection = Connection(base: try await base.open(), connector: self)
            // `goAway()` may have been called while the connection opened.
            let isAway = state.withLock { state in
                if !state.isAway { state.connections.append(connection) }
                return state.isAway
            }
            if isAway {
                await connection.close()
                throw OutboxPostgresConnectionEnded("the server is away")
            }
            return connection
        }

        private func turn() -> (isCut: Bool, after: Bool) {
            state.withLock { state in
                guard let left = state.left else { return (false, false) }
                state.left = left > 1 ? left - 1 : nil
                return (left == 1, state.isCutAfter)
            }
        }

        private final class Connection: OutboxPostgresConnection {
            let base: LibpqConnection
            let connector: CuttingConnector

            init(base: LibpqConnection, connector: CuttingConnector) {
                self.base = base
                self.connector = connector
            }

            func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
                let (isCut, after) = connector.turn()
                if isCut {
                    if after { _ = try? await base.run(statement, values) }
                    await base.close()
                    throw OutboxPostgresConnectionEnded("cut by the test")
                }
                return try await base.run(statement, values)
            }

            func onNotification(_ receive: @escaping @Sendable (String?) -> Void) { base.onNotification(receive) }
            func close() async { await base.close() }
        }
    }
#endif
