#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsTesting

    import TidingsOutbox

    /// Tests of the adapter for postgres-nio in the article *With PostgreSQL*. A stub of postgres-nio calls libpq.
    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresNIOTests {
        @Test func `the adapter in the article stores a notification only if its transaction is committed`()
            async throws
        {
            let database = try await TestDatabase()
            let recorder = RecordingNotificationCenter()
            let outbox = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            let worker = Worker()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            let connection = PostgresNIO.PostgresConnection(try await database.connector.open())
            let transaction = NIOTransaction(connection: connection, logger: Logger(), commits: Commits())
            for (number, end) in [(1, "COMMIT"), (2, "ROLLBACK"), (3, "COMMIT")] {
                _ = try await transaction.run("BEGIN", [])
                _ = try await transaction.run("INSERT INTO orders(id) VALUES($1::text::bigint)", ["\(number)"])
                try await outbox.post(Placed(number: number, customer: "d'Arc \"\\\u{e9}"), in: transaction)
                _ = try await transaction.run(end, [])
                if end == "COMMIT" { transaction.commits.run() } else { _ = transaction.commits.removeAll() }
            }
            #expect(await outbox.drain(within: .seconds(600)) == [])
            #expect(await worker.numbers == [1, 3])
            #expect(recorder.posted(Placed.self).map(\.number) == [1, 3])
            #expect(recorder.posted(Placed.self).allSatisfy { $0.customer == "d'Arc \"\\\u{e9}" })
            let rows = try await transaction.run("SELECT $1::text, $2::text, ''::text", [nil, "a\"b'c\\"])
            #expect(rows == [[nil, "a\"b'c\\", ""]])
            let inbox = try await PostgresInbox(in: database.connector)
            let delivery = StoredNotification(Placed(number: 1), id: "1", observer: "worker")
            #expect(try await inbox.once(delivery, in: transaction) {})
            #expect(try await !inbox.once(delivery, in: transaction) {})
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }

        @Test func `the adapter in this file is the adapter in the article`() throws {
            let file = URL(fileURLWithPath: #filePath)
            let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let article = root.appending(path: "Sources/TidingsOutbox/Documentation.docc/WithPostgreSQL.md")
            func lines(_ url: URL) throws -> [String] {
                try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
            let shown = try lines(article).drop { !$0.hasPrefix("struct NIOTransaction") }.prefix { $0 != "```" }
            let here = try lines(file).drop { $0 != "// The listing." }.dropFirst().prefix { $0 != "// The end." }
            #expect(!shown.isEmpty && Array(shown) == Array(here).filter { !$0.isEmpty })
        }
    }

    // The listing.
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
    // The end.

    final class Commits: Sendable {
        private let actions = Lock<[@Sendable () -> Void]>([])

        func append(_ action: @escaping @Sendable () -> Void) { actions.withLock { $0.append(action) } }
        func removeAll() -> [@Sendable () -> Void] {
            actions.withLock { actions in
                defer { actions = [] }
                return actions
            }
        }
        func run() { for action in removeAll() { action() } }
    }

    // The part of postgres-nio's API that the listing uses.

    struct Logger: Sendable {}

    struct PostgresBindings: Sendable {
        fileprivate var values: [String?] = []
        mutating func append(_ value: String) { values.append(value) }
        mutating func appendNull() { values.append(nil) }
    }

    struct PostgresQuery: Sendable {
        fileprivate let sql: String
        fileprivate let binds: PostgresBindings
        init(unsafeSQL sql: String, binds: PostgresBindings) { (self.sql, self.binds) = (sql, binds) }
    }

    struct PostgresCell: Sendable {
        fileprivate let text: String?
        func decode(_ type: String?.Type) throws -> String? { text }
    }

    struct PostgresRowSequence: Sendable {
        fileprivate let rows: [[PostgresCell]]
        func collect() async throws -> [[PostgresCell]] { rows }
    }

    enum PostgresNIO {
        final class PostgresConnection: Sendable {
            private let base: LibpqConnection
            init(_ base: LibpqConnection) { self.base = base }

            func query(_ query: PostgresQuery, logger: Logger) async throws -> PostgresRowSequence {
                let rows = try await base.run(query.sql, query.binds.values)
                return PostgresRowSequence(rows: rows.map { row in row.map(PostgresCell.init) })
            }

            func close() async { await base.close() }
        }
    }
#endif
