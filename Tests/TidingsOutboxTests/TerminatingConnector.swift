#if Libpq
    import Tidings
    import TidingsOutbox

    /// Makes the server end connections at random statements, before or after it executes the statement. The server
    /// ends the connection of the statement, or all connections to the test database.
    final class TerminatingConnector: OutboxPostgresConnector {
        private struct State {
            var random: RandomHistory.Generator
            var left: Int?
            var isAway = false
            var cuts = 0
        }

        private struct Cut {
            let isOfAll: Bool
            let isAfter: Bool
        }

        private let database: TestDatabase
        private let state: Lock<State>

        init(_ database: TestDatabase, _ random: RandomHistory.Generator) {
            self.database = database
            state = Lock(State(random: random))
        }

        func cut(_ isOn: Bool) {
            state.withLock { state in state.left = isOn ? Int.random(in: 1...60, using: &state.random) : nil }
        }

        var cuts: Int { state.withLock { $0.cuts } }

        /// Makes the program die: it loses all connections, and can't open new ones.
        func die() async throws {
            state.withLock { $0.isAway = true }
            try await database.cut()
        }

        func connect() async throws -> any OutboxPostgresConnection { try await open() }

        func open() async throws -> Connection {
            let base = try await database.connector.open()
            let process = try await base.run("SELECT pg_backend_pid()::text", [])[0][0]
            if state.withLock({ $0.isAway }) {
                await base.close()
                throw OutboxPostgresConnectionEnded("the program is dead")
            }
            return Connection(base: base, process: process, connector: self)
        }

        private func turn() -> Cut? {
            state.withLock { state in
                guard let left = state.left else { return nil }
                state.left = left > 1 ? left - 1 : Int.random(in: 1...60, using: &state.random)
                if left > 1 { return nil }
                state.cuts += 1
                return Cut(
                    isOfAll: Int.random(in: 0..<4, using: &state.random) == 0,
                    isAfter: Bool.random(using: &state.random))
            }
        }

        final class Connection: OutboxPostgresConnection {
            private let base: LibpqConnection
            private let process: String?
            private let connector: TerminatingConnector

            fileprivate init(base: LibpqConnection, process: String?, connector: TerminatingConnector) {
                (self.base, self.process, self.connector) = (base, process, connector)
            }

            func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
                guard let cut = connector.turn() else { return try await base.run(statement, values) }
                if cut.isAfter { _ = try? await base.run(statement, values) }
                if cut.isOfAll {
                    try await connector.database.cut()
                } else {
                    try await connector.database.cut(process)
                }
                if cut.isAfter { throw OutboxPostgresConnectionEnded("the answer is lost") }
                return try await base.run(statement, values)
            }

            func onNotification(_ receive: @escaping @Sendable (String?) -> Void) { base.onNotification(receive) }
            func close() async { await base.close() }
        }
    }
#endif
