#if GRDB && Libpq
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings

    @testable import TidingsOutbox

    @Suite(.timeLimit(.ofServers), .serialized) struct InboxExpiryTests {
        private var options: OutboxOptions {
            var options = OutboxOptions.quick
            options.inboxRetention = .seconds(3_600)
            return options
        }

        @Test func `identities in an inbox in SQLite expire by age`() async throws {
            let folder = TestFolder()
            let pool = try DatabasePool(path: folder.path("shop"))
            let inbox = try await SQLiteInbox(in: pool)
            try await pool.write { db in
                for number in 1...5 { try inbox.once("\(number)", from: "test", in: db) {} }
                try db.execute(sql: "UPDATE tidings_inbox SET at = at - 7200000 WHERE id < '4'")
            }
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: options)
            await eventually("the identities expire", { outbox.removals.inboxEntries }, until: { $0 == 3 })
            let left = try await pool.read { try String.fetchAll($0, sql: "SELECT id FROM tidings_inbox ORDER BY id") }
            #expect(left == ["4", "5"])
            await outbox.finish(within: .seconds(60))
        }

        @Test(.enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"))
        func `expired identities in an inbox in PostgreSQL are removed, and only one of two programs counts each`()
            async throws
        {
            let database = try await TestDatabase()
            _ = try await PostgresInbox(in: database.connector)
            let connection = try await database.connector.open()
            try await connection.run(
                """
                INSERT INTO tidings_inbox(source, id, at)
                SELECT 'test', n::text, now() - make_interval(hours => n % 4) FROM generate_series(1, 4000) n
                """, [])
            var outboxes: [NotificationOutbox<PostgresOutboxStore>] = []
            for _ in 1...2 {
                outboxes.append(
                    try await NotificationOutbox(
                        in: database.connector, of: NativeNotificationCenter(), options: options))
            }
            await eventually(
                "the identities expire", { outboxes.map(\.removals.inboxEntries).reduce(0, +) }, until: { $0 >= 3_000 })
            // Entries that were inserted with an age of an hour are now older than the limit, and are removed.
            #expect(try await connection.run("SELECT count(*)::text FROM tidings_inbox", []) == [["1000"]])
            #expect(outboxes.map(\.removals.inboxEntries).reduce(0, +) == 3_000)
            for outbox in outboxes { await outbox.finish(within: .seconds(600)) }
            await connection.close()
        }
    }
#endif
