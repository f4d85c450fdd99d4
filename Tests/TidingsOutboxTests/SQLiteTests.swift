#if GRDB
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @Suite(.timeLimit(.minutes(2))) struct SQLiteTests {
        private let folder = TestFolder()
        private let recorder = RecordingNotificationCenter()

        private func open() throws -> DatabasePool {
            let pool = try DatabasePool(path: folder.path("shop.sqlite"))
            try pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS orders(id INTEGER PRIMARY KEY)") }
            return pool
        }

        @Test func `an observer of a database in memory has one session at a time, although there is no file to lock`()
            async throws
        {
            let store = SQLiteOutboxStore(try DatabaseQueue())
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            #expect(try await store.claim("worker", beginningAt: 0) == nil)
            await session.end(isClean: true)
            let next = try #require(try await store.claim("worker", beginningAt: 0))
            await next.end(isClean: true)
        }

        @Test(arguments: OutboxStoreConformance.checks)
        func `SQLite meets the requirements for stores`(check: OutboxStoreConformance.Check) async throws {
            let findings = try await check.run(on: SQLiteOutboxStore(try open())) { store, bodies, isCommitted in
                try await store.database.writeWithoutTransaction { db in
                    try db.inTransaction {
                        for body in bodies {
                            _ = try store.append(
                                OutboxPost(name: "check", version: 1, body: Data(body.utf8)), in: db, at: 1)
                        }
                        return isCommitted ? .commit : .rollback
                    }
                }
            }
            #expect(findings == [])
        }

        @Test func `opening an outbox sets SQLite's synchronous mode to FULL, or to NORMAL on request`() async throws {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: recorder)
            let full = try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            #expect(full == 2)
            await outbox.finish(within: .seconds(600))
            let fast = try await NotificationOutbox(in: pool, of: recorder, durability: .normal)
            let normal = try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            #expect(normal == 1)
            await fast.finish(within: .seconds(600))
        }

        @Test
        func `rolled-back notifications, even in a savepoint, reach no observer, and others arrive after the commit`()
            async throws
        {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: recorder, options: .quick)
            let worker = Worker()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            try? await pool.write { db in
                try outbox.post(Placed(number: 1), in: db)
                throw Refused()
            }
            try await pool.write { [recorder] db in
                try db.execute(sql: "INSERT INTO orders VALUES(2)")
                try outbox.post(Placed(number: 2), in: db)
                try db.inSavepoint {
                    try outbox.post(Placed(number: 3), in: db)
                    return .rollback
                }
                // This notification gets the number that the rollback released.
                try outbox.post(Placed(number: 4), in: db)
                #expect(recorder.posted(Placed.self).isEmpty)
            }
            try await pool.write { db in
                try outbox.post(Placed(number: 5), in: db)
                try db.inSavepoint {
                    try outbox.post(Placed(number: 6), in: db)
                    return .rollback
                }
            }
            await worker.waitForAttempts(3)
            #expect(await outbox.drain(within: .seconds(600)).isEmpty)
            #expect(recorder.posted(Placed.self).map(\.number) == [2, 4, 5])
            #expect(await worker.numbers == [2, 4, 5])
            await outbox.finish(within: .seconds(600))
        }

        enum Following: CaseIterable, Sendable { case otherWork, post, postAfterAnotherProgram, firstPostAgain }

        @Test(arguments: Following.allCases)
        func `a notification that SQLite rolls back itself isn't received, whatever is committed next`(
            following: Following
        ) async throws {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: recorder, options: .quick)
            try await pool.write { try $0.execute(sql: "INSERT INTO orders VALUES(1)") }
            await #expect(throws: DatabaseError.self) {
                try await pool.write { db in
                    for number in 1...2 { try outbox.post(Placed(number: number), in: db) }
                    // GRDB reports no rollback, because the failed statement has ended the transaction.
                    try db.execute(sql: "INSERT OR ROLLBACK INTO orders VALUES(1)")
                }
            }
            if following == .postAfterAnotherProgram {
                // This pool and its outbox simulate another program. Its notification gets the number that is free.
                let other = try DatabasePool(path: folder.path("shop.sqlite"))
                let theirs = try await NotificationOutbox(in: other, of: NativeNotificationCenter(), options: .quick)
                try await other.write { try theirs.post(Placed(number: 4), in: $0) }
                await theirs.finish(within: .seconds(600))
            }
            try await pool.write { db in
                if following == .otherWork { return try db.execute(sql: "INSERT INTO orders VALUES(2)") }
                if following == .firstPostAgain { try outbox.post(Placed(number: 1), in: db) }
                try outbox.post(Placed(number: 3), in: db)
            }
            #expect(await outbox.drain(within: .seconds(600)).isEmpty)
            let expected = following == .otherWork ? [] : following == .firstPostAgain ? [1, 3] : [3]
            #expect(recorder.posted(Placed.self).map(\.number) == expected)
            await outbox.finish(within: .seconds(600))
        }

        /// Moves a folder away before each commit.
        private final class Mover: TransactionObserver {
            private let path: String, away: String
            init(_ path: String, to away: String) { (self.path, self.away) = (path, away) }
            func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { false }
            func databaseDidChange(with event: DatabaseEvent) {}
            func databaseWillCommit() throws { try FileManager.default.moveItem(atPath: path, toPath: away) }
            func databaseDidCommit(_ db: Database) {}
            func databaseDidRollback(_ db: Database) {}
        }

        @Test func `a notification whose COMMIT fails isn't received, even if the next one gets its number`()
            async throws
        {
            let (path, away) = (folder.path("shop"), folder.path("away"))
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let queue = try DatabaseQueue(path: path + "/shop.sqlite")
            let outbox = try await NotificationOutbox(in: queue, of: recorder, options: .quick)
            try await queue.writeWithoutTransaction { db in
                // A post changes two files, so its COMMIT creates a third one in their folder.
                try db.execute(sql: "ATTACH DATABASE '\(path)/copies.sqlite' AS other")
                try db.execute(sql: "CREATE TABLE other.copies(id INTEGER)")
                try db.execute(
                    sql: """
                        CREATE TEMP TRIGGER copied AFTER INSERT ON tidings_outbox
                        BEGIN INSERT INTO copies VALUES(NEW.id); END
                        """)
                let mover = Mover(path, to: away)
                db.add(transactionObserver: mover)
                let error = #expect(throws: DatabaseError.self) { try outbox.post(Placed(number: 1), in: db) }
                #expect(error?.resultCode == .SQLITE_CANTOPEN && error?.sql == "COMMIT TRANSACTION")
                db.remove(transactionObserver: mover)
                try FileManager.default.moveItem(atPath: away, toPath: path)
                try outbox.post(Placed(number: 2), in: db)
                #expect(try Int64.fetchAll(db, sql: "SELECT id FROM tidings_outbox") == [1])
            }
            #expect(await outbox.drain(within: .seconds(600)).isEmpty)
            #expect(recorder.posted(Placed.self).map(\.number) == [2])
            await outbox.finish(within: .seconds(600))
        }

        @Test func `a post outside a transaction is committed on its own and received`() async throws {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: recorder, options: .quick)
            try await pool.writeWithoutTransaction { db in
                try outbox.post(Placed(number: 1), in: db)
                try outbox.post(Placed(number: 2), in: db)
            }
            try await pool.write { try outbox.post(Placed(number: 3), in: $0) }
            #expect(await outbox.drain(within: .seconds(600)).isEmpty)
            #expect(recorder.posted(Placed.self).map(\.number) == [1, 2, 3])
            await outbox.finish(within: .seconds(600))
        }

        @Test func `a post outside a transaction isn't counted as work of observers of other types`() async throws {
            let pool = try open()
            var options = OutboxOptions.quick
            // The poll interval is too long for a poll during the test.
            options.pollInterval = .seconds(3_600)
            let outbox = try await NotificationOutbox(in: pool, of: recorder, options: options)
            let worker = Worker()
            await worker.hold()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            try await pool.writeWithoutTransaction { try outbox.post(Placed(number: 1), in: $0) }
            await worker.waitForAttempts(1)
            // The observer can't pass the next rows, because it is handling the first one.
            try await pool.writeWithoutTransaction { db in
                try outbox.post(Cancelled(number: 2), in: db)
                _ = try outbox.deliver(Cancelled(number: 3), in: db)
            }
            #expect(outbox.runningObservers.map(\.backlog) == [1])
            await worker.letGo()
            #expect(await outbox.drain(within: .seconds(600)).isEmpty)
            #expect(recorder.posted(Cancelled.self).map(\.number) == [2, 3])
            await outbox.finish(within: .seconds(600))
        }

        @Test func `each of two outboxes of a database posts only its own notifications to its center`() async throws {
            let pool = try open()
            let others = RecordingNotificationCenter()
            let first = try await NotificationOutbox(in: pool, of: recorder, options: .quick)
            let second = try await NotificationOutbox(in: pool, of: others, options: .quick)
            try await pool.write { db in
                try first.post(Placed(number: 1), in: db)
                _ = try first.store.append(try OutboxPost(Placed(number: 2)), in: db, at: 1)
                try second.post(Placed(number: 3), in: db)
                try first.post(Placed(number: 4), in: db)
            }
            await first.drain(within: .seconds(600))
            await second.drain(within: .seconds(600))
            #expect(recorder.posted(Placed.self).map(\.number) == [1, 4])
            #expect(others.posted(Placed.self).map(\.number) == [3])
            await first.finish(within: .seconds(600))
            await second.finish(within: .seconds(600))
        }

        @Test func `observers of the center may use the database when they receive a notification`() async throws {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: recorder, options: .quick)
            let counted = Lock<[Int]>([])
            let token = recorder.addObserver(for: Placed.self) { note in
                let count = try? pool.write { db in
                    try db.execute(sql: "INSERT INTO orders VALUES(?)", arguments: [note.number])
                    return try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM orders")
                }
                counted.withLock { $0.append(count ?? -1) }
            }
            for number in 1...3 { try await pool.write { try outbox.post(Placed(number: number), in: $0) } }
            await outbox.drain(within: .seconds(600))
            #expect(counted.withLock { $0 } == [1, 2, 3])
            token.cancel()
            await outbox.finish(within: .seconds(600))
        }

        @Test func `the outbox finds rows that another connection stores`() async throws {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: recorder, options: .quick)
            let worker = Worker()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            // This pool and its outbox simulate another program.
            let other = try DatabasePool(path: folder.path("shop.sqlite"))
            let theirs = try await NotificationOutbox(in: other, of: NativeNotificationCenter(), options: .quick)
            try await other.write { db in
                for number in 1...100 { try theirs.post(Placed(number: number), in: db) }
            }
            await worker.waitForAttempts(100)
            #expect(await worker.numbers == Array(1...100))
            await outbox.finish(within: .seconds(600))
            await theirs.finish(within: .seconds(600))
        }

        @Test func `one of two programs runs an observer, and the other takes over when the first ends`() async throws {
            let pool = try open()
            let worker = Worker()
            let first = try await NotificationOutbox(in: pool, of: recorder, options: .quick)
            first.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            await eventually(
                "the first program's observer runs", { first.runningObservers.first?.state }, until: { $0 == .running })
            let other = try DatabasePool(path: folder.path("shop.sqlite"))
            let second = try await NotificationOutbox(in: other, of: recorder, options: .quick)
            second.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            await eventually(
                "the second program's observer is elsewhere", { second.runningObservers.first?.state },
                until: { $0 == .elsewhere })
            await first.finish(within: .seconds(600))
            try await other.write { try second.post(Placed(number: 1), in: $0) }
            await worker.waitForAttempts(1)
            await second.finish(within: .seconds(600))
            #expect(await worker.numbers == [1])
        }

        @Test func `with an inbox, an effect happens once even if its notification is repeated`() async throws {
            let pool = try open()
            let inbox = try await SQLiteInbox(in: pool)
            for expected in [true, false] {
                let isNew = try await pool.write { db in
                    try inbox.once("7", from: "shop", in: db) { try db.execute(sql: "INSERT INTO orders VALUES(7)") }
                }
                #expect(isNew == expected)
            }
            _ = try? await pool.write { db in try inbox.once("8", from: "shop", in: db) { throw Refused() } }
            let isNew = try await pool.write { db in try inbox.once("8", from: "shop", in: db) {} }
            #expect(isNew)
            #expect(try await inbox.prune(olderThan: .seconds(-1)) == 2)
        }

        @Test func `an inbox throws an error of the database if no transaction is open`() async throws {
            let pool = try open()
            let inbox = try await SQLiteInbox(in: pool)
            await #expect(throws: DatabaseError.self) {
                _ = try await pool.writeWithoutTransaction { db in
                    try inbox.once("7", from: "shop", in: db) { Issue.record("the effect was performed") }
                }
            }
        }

        @Test func `opening an inbox sets a busy timeout if the database has none`() async throws {
            let pool = try open()
            let before = try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") }
            #expect(before == 0)
            _ = try await SQLiteInbox(in: pool)
            let timeout = try await pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") }
            #expect(timeout == 5000)
        }

        @Test func `opening tables of a later version throws an error with both versions`() async throws {
            let pool = try open()
            let outbox = try await NotificationOutbox(in: pool, of: recorder)
            await outbox.finish(within: .seconds(600))
            try await pool.write { try $0.execute(sql: "UPDATE tidings_meta SET value = '3' WHERE key = 'version'") }
            await #expect(
                throws: OutboxError(.unknownSchema, "the tables have version 3, and this program supports version 2")
            ) {
                _ = try await NotificationOutbox(in: pool, of: recorder)
            }
        }
    }
#endif
