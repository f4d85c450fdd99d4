#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsTesting

    @testable import TidingsOutbox

    /// Tests of tables of version 1, and of programs of version 1 that run while a new version is deployed.
    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresUpgradeTests {
        /// The index and the function that version 1 created in addition to the tables.
        private static let versionOne = [
            "CREATE INDEX tidings_outbox_new ON tidings_outbox(id) WHERE pos IS NULL",
            """
            CREATE FUNCTION tidings_sequence_rows(OUT last bigint, OUT given bigint) LANGUAGE plpgsql AS $f$
            BEGIN
                given := 0;
                SELECT h.last INTO last FROM tidings_head h;
                IF NOT EXISTS(SELECT 1 FROM tidings_outbox WHERE pos IS NULL) THEN RETURN; END IF;
                SELECT h.last INTO last FROM tidings_head h WHERE one = 1 FOR UPDATE;
                UPDATE tidings_outbox o SET pos = tidings_sequence_rows.last + n.r FROM (
                    SELECT id, row_number() OVER (ORDER BY id) r FROM (
                        SELECT id FROM tidings_outbox WHERE pos IS NULL ORDER BY id LIMIT 5000) z) n
                WHERE o.id = n.id;
                GET DIAGNOSTICS given = ROW_COUNT;
                last := last + given;
                UPDATE tidings_head h SET last = tidings_sequence_rows.last WHERE one = 1;
            END $f$
            """,
        ]

        /// Runs the statements of a replica of version 1.
        private struct OldReplica {
            let connection: LibpqConnection

            init(_ database: TestDatabase) async throws { connection = try await database.connector.open() }

            func post(_ number: Int) async throws {
                let body = String(decoding: try Placed(number: number).encoded(), as: UTF8.self)
                try await connection.run(
                    """
                    INSERT INTO tidings_outbox(name, version, encoding, body)
                    VALUES($1::text, $2::text::integer, $3::text::smallint, $4::text) RETURNING id::text
                    """, [Placed.wireName, "1", "0", body])
            }

            /// - Returns: The cursor and whether the last session ended cleanly, or `nil` if another program runs the
            ///   observer.
            func claim(_ observer: String) async throws -> [String?]? {
                let lock = "\(PostgresTables.versionOneLock(of: observer))"
                let answer = try await connection.run("SELECT pg_try_advisory_lock($1::text::bigint)::text", [lock])
                guard answer[0][0] == "true" else { return nil }
                do {
                    try await connection.run(
                        """
                        INSERT INTO tidings_observer(name, cursor, clean, seen, abandoned)
                        VALUES($1::text, 0, true, now(), false) ON CONFLICT DO NOTHING
                        """, [observer])
                    return try await connection.run(
                        """
                        UPDATE tidings_observer o SET clean = false, abandoned = false, seen = now() FROM tidings_observer old
                        WHERE o.name = $1::text AND old.name = o.name RETURNING o.cursor::text, old.clean::text
                        """, [observer])[0]
                } catch {
                    try await connection.run("SELECT pg_advisory_unlock($1::text::bigint)::text", [lock])
                    throw error
                }
            }

            func save(_ cursor: Int, of observer: String) async throws {
                try await connection.run(
                    "UPDATE tidings_observer SET cursor = $2::text::bigint, seen = now() WHERE name = $1::text",
                    [observer, "\(cursor)"])
            }

            func end(_ observer: String) async throws {
                try await connection.run(
                    "UPDATE tidings_observer SET clean = true WHERE name = ANY($1::text::text[])", ["{\(observer)}"])
                try await connection.run(
                    "SELECT pg_advisory_unlock($1::text::bigint)::text",
                    ["\(PostgresTables.versionOneLock(of: observer))"])
            }
        }

        private func database() async throws -> TestDatabase {
            let database = try await TestDatabase()
            let connection = try await database.connector.open()
            try await connection.run("DO $$ BEGIN \(PostgresMigrations.first(PostgresTables("public"))) END $$", [])
            for statement in Self.versionOne { try await connection.run(statement, []) }
            await connection.close()
            return database
        }

        @Test
        func `waiting rows of version 1 are delivered in their order, and so are later rows of an old replica`()
            async throws
        {
            let database = try await database()
            let old = try await OldReplica(database)
            for number in 1...3 { try await old.post(number) }
            #expect(try await old.connection.run("SELECT last::text FROM tidings_sequence_rows()", []) == [["3"]])
            for number in 4...6 { try await old.post(number) }
            let outbox = try await NotificationOutbox(
                in: database.connector, of: NativeNotificationCenter(), options: .quick)
            let worker = Worker()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
                try await me.handle(note)
            }
            await worker.waitForAttempts(6)
            for number in 7...9 { try await old.post(number) }
            #expect(try await old.connection.run("SELECT last::text FROM tidings_sequence_rows()", []) == [["9"]])
            await worker.waitForAttempts(9)
            #expect(await worker.numbers == Array(1...9))
            // A program of version 1 can still open the tables. Programs of this version migrate them once.
            #expect(try await old.connection.run("SELECT version::text FROM tidings_meta", []) == [["1"]])
            let again = PostgresOutboxStore(database.connector)
            _ = try await again.prepare()
            await again.stop()
            await outbox.finish(within: .seconds(600))
            await old.connection.close()
        }

        @Test func `version 1 and this version can't claim an observer that the other version runs`()
            async throws
        {
            let database = try await database()
            let old = try await OldReplica(database)
            #expect(try await old.claim("worker") == ["0", "true"])
            let store = PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            _ = try await store.prepare()
            #expect(try await store.claim("worker", beginningAt: 0) == nil)
            try await old.save(2, of: "worker")
            try await old.end("worker")
            var session: (any OutboxObserverSession)?
            try await eventually("the observer can be claimed") {
                session = try await store.claim("worker", beginningAt: 0)
                return session != nil
            }
            #expect(session?.beginning.cursor == 2 && session?.beginning.wasInterrupted == false)
            await #expect(throws: OutboxPostgresStatementFailed.self) { _ = try await old.claim("worker") }
            try await session?.save(OutboxProgressChange(cursor: 5))
            await session?.end(isClean: true)
            #expect(try await old.claim("worker") == ["5", "true"])
            // A session of this version can no longer save with its old lease.
            await #expect { try await session?.save(OutboxProgressChange(cursor: 6)) } throws: {
                ($0 as? OutboxError)?.code == .leaseLost
            }
            await old.connection.close()
            // The closed connection simulates that the old program was killed.
            var next: (any OutboxObserverSession)?
            try await eventually("the observer can be claimed") {
                next = try await store.claim("worker", beginningAt: 0)
                return next != nil
            }
            #expect(next?.beginning.wasInterrupted == true)
            await next?.end(isClean: true)
            await store.stop()
        }

        @Test
        func `a replica of version 1 takes over when the lease of a replica of this version has expired`()
            async throws
        {
            let database = try await database()
            let store = PostgresOutboxStore(database.connector, leaseTime: .milliseconds(200))
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            let old = try await OldReplica(database)
            var taken: [String?]?
            await eventually("the observer can be claimed") {
                taken = try? await old.claim("worker")
                return taken != nil
            }
            #expect(taken == ["0", "false"])
            await #expect { try await session.save(OutboxProgressChange(cursor: 6)) } throws: {
                ($0 as? OutboxError)?.code == .leaseLost
            }
            await session.end(isClean: true)
            await old.connection.close()
            await store.stop()
        }
    }
#endif
