#if GRDB && Libpq
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsTesting

    @testable import TidingsOutbox

    @Suite(.timeLimit(.ofServers), .serialized) struct MigrationTests {
        private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/Schema")

        /// The names and texts of the SQL files for administrators. The test writes the files if `TIDINGS_WRITE_SCHEMA`
        /// is set.
        private static var files: [(name: String, text: String)] {
            let start = { (database: String, version: Int) in
                "-- Version \(version) of the tables of an outbox in \(database). Written by MigrationTests.\n"
            }
            return PostgresOutboxStore.migrations().map {
                ("postgresql-\($0.version).sql", start("PostgreSQL", $0.version) + $0.sql)
            }
                + SQLiteOutboxStore.migrations.map {
                    ("sqlite-\($0.version).sql", start("SQLite", $0.version) + $0.sql)
                } + [
                    (
                        "postgresql-grants.sql",
                        "-- The roles of an outbox in PostgreSQL. Replace their names. Written by MigrationTests.\n"
                            + PostgresOutboxStore.grants(running: "shop", migrating: "shop_migrations")
                    )
                ]
        }

        @Test(arguments: files.map(\.name)) func `the SQL files for administrators match the program's statements`(
            name: String
        )
            throws
        {
            let text = try #require(Self.files.first { $0.name == name }).text
            let file = Self.folder.appending(path: name)
            if ProcessInfo.processInfo.environment["TIDINGS_WRITE_SCHEMA"] != nil {
                try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }

        // MARK: SQLite

        /// Runs the statements of a replica of version 1 on SQLite.
        private struct OldReplica {
            let pool: DatabasePool

            func post(_ number: Int) async throws {
                let body = try Placed(number: number).encoded()
                try await pool.write { db in
                    try db.cachedStatement(
                        sql: "INSERT INTO tidings_outbox(name, version, body, at) VALUES(?, ?, ?, ?)"
                    ).execute(arguments: [Placed.wireName, 1, body, 7])
                }
            }

            func page(after position: Int64) async throws -> [Int64] {
                try await pool.read { db in
                    try Int64.fetchAll(
                        db.cachedStatement(
                            sql:
                                "SELECT id, name, version, at, body FROM tidings_outbox WHERE id > ? ORDER BY id LIMIT ?"
                        ),
                        arguments: [position, 100])
                }
            }

            func run(_ observer: String, to cursor: Int64, burying position: Int64) async throws {
                let lock = try #require(try ObserverLock(observer, beside: pool.path))
                try await pool.write { db in
                    try db.cachedStatement(
                        sql: """
                            INSERT INTO tidings_observer(name, cursor, clean, seen, abandoned) VALUES(?, ?, 1, ?, 0)
                            ON CONFLICT DO NOTHING
                            """
                    ).execute(arguments: [observer, 0, 7])
                    try db.cachedStatement(
                        sql: "UPDATE tidings_observer SET clean = 0, abandoned = 0, seen = ? WHERE name = ?"
                    ).execute(arguments: [7, observer])
                    try db.cachedStatement(sql: "UPDATE tidings_observer SET cursor = ?, seen = ? WHERE name = ?")
                        .execute(arguments: [cursor, 7, observer])
                    try db.cachedStatement(
                        sql: """
                            INSERT OR REPLACE INTO tidings_held(observer, position, key, attempts, due, error, buried)
                            VALUES(?, ?, ?, ?, ?, ?, ?)
                            """
                    ).execute(arguments: [observer, position, "", 1, 0, "no", true])
                    try db.cachedStatement(sql: "UPDATE tidings_observer SET clean = 1 WHERE name = ?")
                        .execute(arguments: [observer])
                }
                lock.unlock()
            }
        }

        @Test func `waiting rows of version 1 in SQLite are delivered while replicas of both versions post and run`()
            async throws
        {
            let folder = TestFolder()
            let old = OldReplica(pool: try DatabasePool(path: folder.path("shop")))
            try await old.pool.write { db in
                try db.execute(sql: try #require(SQLiteMigrations.all.first).sql)
            }
            for number in 1...3 { try await old.post(number) }
            try await old.run("worker", to: 2, burying: 1)
            #expect(try await old.page(after: 0) == [1, 2, 3])
            let pool = try DatabasePool(path: folder.path("shop"))
            var options = OutboxOptions.quick
            options.deadLetterRetention = .seconds(1_000_000)
            // The old replica stores rows with a time in the distant past, so the retention has to be long.
            options.retention = .seconds(10_000_000_000)
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: options)
            // Statements that the old replica prepared before the migration still work.
            try await old.post(4)
            #expect(try await old.page(after: 0) == [1, 2, 3, 4])
            let worker = Worker()
            let token = outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) {
                me, note in
                try await me.handle(note)
            }
            try await pool.write { db in _ = try outbox.post(Placed(number: 5), after: .zero, in: db) }
            await worker.waitForAttempts(3)
            #expect(await worker.numbers == [3, 4, 5])
            #expect(try await outbox.deadLetters(for: "worker").map(\.row.position) == [1])
            await token.cancelAndDrain()
            await eventually("the worker has ended") { outbox.runningObservers.isEmpty }
            try await old.run("worker", to: 5, burying: 2)
            try await old.post(6)
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
                try await me.handle(note)
            }
            await worker.waitForAttempts(4)
            #expect(await worker.numbers == [3, 4, 5, 6])
            #expect(try await outbox.deadLetters(for: "worker").map(\.row.position) == [1, 2])
            await outbox.finish(within: .seconds(60))
            // A program of version 1 can still open the tables.
            let version = try await pool.read { db in
                try String.fetchAll(
                    db, sql: "SELECT value FROM tidings_meta WHERE key IN ('version', 'revision') ORDER BY key")
            }
            #expect(version == ["3", "1"])
        }

        @Test func `programs that open tables of version 1 in SQLite at the same time migrate them once`() async throws
        {
            let folder = TestFolder()
            let pools = try (0..<4).map { _ in try DatabasePool(path: folder.path("shop")) }
            try await pools[0].write { db in try db.execute(sql: try #require(SQLiteMigrations.all.first).sql) }
            let identities = try await withThrowingTaskGroup { group in
                for pool in pools { group.addTask { try await SQLiteOutboxStore(pool).prepare().identity } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(identities.count == 1)
        }

        // MARK: PostgreSQL

        /// Runs the statements of a file one by one, as an administrator would.
        private func run(_ text: String, _ connection: LibpqConnection) async throws {
            var statement = ""
            var quote: String?
            for line in text.split(separator: "\n") {
                statement += line + "\n"
                for mark in ["$tidings$", "$f$"] where (quote ?? mark) == mark {
                    if line.components(separatedBy: mark).count % 2 == 0 { quote = quote == nil ? mark : nil }
                }
                if quote == nil, line.hasSuffix(";") {
                    try await connection.run(statement, [])
                    statement = ""
                }
            }
        }

        @Test(
            .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"),
            arguments: ["public", "outbox \"a'b"])
        func `a program's role needs only the grants, and the role for migrations owns the tables`(schema: String)
            async throws
        {
            let database = try await TestDatabase()
            let admin = try await database.connector.open()
            let (runs, migrates) = ("r\(database.name)", "m\(database.name)")
            for role in [runs, migrates] { try await admin.run("CREATE ROLE \(role) LOGIN", []) }
            let server = TestDatabase.server
            let connectors = [runs, migrates].map {
                LibpqConnector("host=127.0.0.1 port=\(server.port) user=\($0) dbname=\(database.name)")
            }
            try await run(PostgresOutboxStore.grants(running: runs, migrating: migrates, schema: schema), admin)
            // Before the migration, a program reports that it isn't allowed to create the tables.
            let early = PostgresOutboxStore(connectors[0], schema: schema)
            await #expect(throws: OutboxPostgresStatementFailed.self) { _ = try await early.prepare() }
            await early.stop()
            let migrator = try await connectors[1].open()
            for _ in 1...2 {
                for migration in PostgresOutboxStore.migrations(schema: schema) {
                    try await run(migration.sql, migrator)
                }
            }
            // The grants can be executed again when the tables exist.
            try await run(PostgresOutboxStore.grants(running: runs, migrating: migrates, schema: schema), admin)

            var options = OutboxOptions.quick
            (options.deadLetterRetention, options.inboxRetention, options.retention) = (.zero, .zero, .zero)
            let center = RecordingNotificationCenter()
            let outbox = try await NotificationOutbox(
                in: connectors[0], schema: schema, of: center, options: options)
            let worker = Worker()
            await worker.fail(2, times: .max)
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.number), from: .stored,
                retrying: RetryPolicy([.milliseconds(1)])
            ) { me, note in
                try await me.handle(note)
            }
            let inbox = try await PostgresInbox(in: connectors[0], schema: schema)
            let own = try await connectors[0].open()
            try await own.transaction { transaction in
                try await outbox.post(Placed(number: 1), in: transaction)
                try await outbox.post(Placed(number: 2), in: transaction)
                try await outbox.post(Placed(number: 3), after: .zero, in: transaction)
                let gone = try await outbox.post(Placed(number: 4), after: .seconds(1_000), in: transaction)
                #expect(try await outbox.cancel(gone, in: transaction))
                try await inbox.once(StoredNotification(Placed(number: 1), id: "1"), in: transaction) {}
            }
            await worker.waitForAttempts(4)
            await eventually("both notifications are handled") { await Set(worker.numbers) == [1, 3] }
            await eventually(
                "the dead letter and the inbox entry expire", { outbox.removals },
                until: { removals in
                    removals.deadLetters == 1 && removals.inboxEntries == 1
                })
            #expect(!Faults(center).kinds.contains(.storeFailed))
            await outbox.finish(within: .seconds(600))
            await #expect(throws: OutboxPostgresStatementFailed.self) {
                try await own.run("DROP TABLE \(PostgresTables(schema).outbox)", [])
            }
            for connection in [own, migrator, admin] { await connection.close() }
        }

        /// Runs the statements of a replica of version 2 on PostgreSQL.
        private struct SecondReplica {
            let connection: LibpqConnection

            func post(_ number: Int) async throws {
                let body = String(decoding: try Placed(number: number).encoded(), as: UTF8.self)
                try await connection.run(
                    """
                    INSERT INTO tidings_outbox(name, version, encoding, body)
                    VALUES($1::text, $2::text::integer, $3::text::smallint, $4::text)
                    RETURNING id::text, xmin::text, pg_current_xact_id()::text
                    """, [Placed.wireName, "1", "0", body])
            }

            func last() async throws -> [[String?]] {
                try await connection.run("SELECT last::text, given::text FROM tidings_sequence_rows()", [])
            }

            func claim(_ observer: String) async throws -> [[String?]] {
                try await connection.run(
                    """
                    INSERT INTO tidings_replica(id, expires, pid)
                    VALUES('old', clock_timestamp() + make_interval(secs => 600), pg_backend_pid())
                    ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, pid = excluded.pid
                    """, [])
                return try await connection.run(
                    """
                    UPDATE tidings_observer o SET owner = 'old', epoch = o.epoch + 1, clean = false, seen = now()
                    WHERE name = $1::text AND (owner IS NULL OR NOT tidings_is_live(owner)) RETURNING epoch::text
                    """, [observer])
            }

            func bury(_ position: Int, of observer: String) async throws {
                try await connection.run(
                    """
                    INSERT INTO tidings_held(observer, position, key, attempts, due, error, buried)
                    VALUES($1::text, $2::text::bigint, '', 1, 0, 'no', true)
                    ON CONFLICT (observer, position) DO UPDATE SET buried = excluded.buried
                    """, [observer, "\(position)"])
            }

            func end(_ observer: String) async throws {
                try await connection.run(
                    "UPDATE tidings_observer SET owner = NULL, epoch = epoch + 1, clean = true WHERE name = $1::text",
                    [observer])
            }
        }

        @Test(.enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), arguments: [1, 2])
        func `waiting rows of an earlier version are delivered, and old replicas continue`(version: Int) async throws {
            let database = try await TestDatabase()
            let connection = try await database.connector.open()
            for migration in PostgresOutboxStore.migrations().prefix(version) {
                try await run(migration.sql, connection)
            }
            let old = SecondReplica(connection: connection)
            for number in 1...2 { try await old.post(number) }
            if version == 2 { #expect(try await old.last() == [["2", "2"]]) }
            for number in 3...4 { try await old.post(number) }
            let outbox = try await NotificationOutbox(
                in: database.connector, of: NativeNotificationCenter(), options: .quick)
            let worker = Worker()
            let token = outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) {
                me, note in
                try await me.handle(note)
            }
            await worker.waitForAttempts(4)
            #expect(await worker.numbers == [1, 2, 3, 4])
            #expect(try await old.claim("worker").isEmpty)
            await token.cancelAndDrain()
            await eventually("the worker has ended") { outbox.runningObservers.isEmpty }
            await eventually(
                "the old replica takes over", { try? await old.claim("worker") }, until: { $0?.count == 1 })
            try await old.bury(4, of: "worker")
            // The old program holds the observer's lease, so the new program can't claim the observer.
            #expect(try await outbox.store.claim("worker", beginningAt: 0) == nil)
            try await old.post(5)
            _ = try await outbox.store.schedule(OutboxPost(Placed(number: 6)), .after(0), in: connection)
            try await old.end("worker")
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
                try await me.handle(note)
            }
            await worker.waitForAttempts(6)
            #expect(await worker.numbers == [1, 2, 3, 4, 5, 6])
            #expect(try await outbox.deadLetters(for: "worker").map(\.row.position) == [4])
            #expect(try await old.last() == [["6", "0"]])
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }
    }
#endif
