#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    /// The libpq parameters of the test server, without the name of a database. The script `.ci/steps/67-outbox` starts
    /// the server and sets `TIDINGS_POSTGRES`.
    let postgresServer = ProcessInfo.processInfo.environment["TIDINGS_POSTGRES"]

    struct TestDatabase: Sendable {
        let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let connector: LibpqConnector

        init() async throws {
            let admin = try await LibpqConnector("\(postgresServer ?? "") dbname=postgres").open()
            try await admin.run("CREATE DATABASE \(name)", [])
            await admin.close()
            connector = LibpqConnector("\(postgresServer ?? "") dbname=\(name)")
            let connection = try await connector.open()
            try await connection.run("CREATE TABLE orders(id bigint PRIMARY KEY)", [])
            await connection.close()
        }

        /// Makes the server end all connections to the database, or only the connection of one server process.
        func cut(_ process: String? = nil) async throws {
            let admin = try await LibpqConnector("\(postgresServer ?? "") dbname=postgres").open()
            try await admin.run(
                """
                SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
                WHERE datname = $1::text AND pid = COALESCE($2::text::int, pid)
                """, [name, process])
            await admin.close()
        }
    }

    /// A transaction that doesn't report its commit.
    struct Untold: OutboxPostgresTransaction {
        let connection: LibpqConnection
        func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            try await connection.run(statement, values)
        }
    }

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresTests {
        private let recorder = RecordingNotificationCenter()

        @Test(arguments: OutboxStoreConformance.checks)
        func `PostgreSQL meets the requirements for stores`(check: OutboxStoreConformance.Check) async throws {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector)
            let findings = try await check.run(on: store) { store, bodies, isCommitted in
                let connection = try await database.connector.open()
                try? await connection.transaction { transaction in
                    for body in bodies {
                        try await store.append(
                            OutboxPost(name: "check", version: 1, body: Data(body.utf8)), in: transaction)
                    }
                    if !isCommitted { throw Refused() }
                }
                await connection.close()
            }
            await store.stop()
            #expect(findings == [])
        }

        @Test func `rolled-back notifications reach no observer, and the others are handled in order`() async throws {
            let database = try await TestDatabase()
            let outbox = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            let worker = Worker()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            let connection = try await database.connector.open()
            for number in 1...50 {
                try? await connection.transaction { transaction in
                    try await outbox.post(Placed(number: number), in: transaction)
                    if number % 5 == 0 { throw Refused() }
                }
            }
            await worker.waitForAttempts(40)
            #expect(await worker.numbers == (1...50).filter { $0 % 5 != 0 })
            await outbox.drain(within: .seconds(600))
            #expect(recorder.posted(Placed.self).count == 40)
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }

        @Test func `a row whose transaction commits late isn't skipped`() async throws {
            let database = try await TestDatabase()
            let outbox = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            let worker = Worker()
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            let slow = try await database.connector.open()
            let fast = try await database.connector.open()
            try await slow.run("BEGIN", [])
            try await outbox.post(Placed(number: 1), in: slow)
            try await fast.transaction { try await outbox.post(Placed(number: 2), in: $0) }
            await worker.waitForAttempts(1)
            #expect(await worker.numbers == [2])
            try await slow.run("COMMIT", [])
            await worker.waitForAttempts(2)
            #expect(await worker.numbers == [2, 1])
            await outbox.finish(within: .seconds(600))
        }

        @Test func `if a statement has failed, the commit throws, and observers receive nothing`() async throws {
            let database = try await TestDatabase()
            let outbox = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            let connection = try await database.connector.open()
            await #expect(throws: OutboxPostgresStatementFailed.self) {
                try await connection.transaction { transaction in
                    try await outbox.post(Placed(number: 1), in: transaction)
                    _ = try? await transaction.run("INSERT INTO nowhere VALUES(1)", [])
                }
            }
            await outbox.drain(within: .seconds(600))
            #expect(recorder.posted(Placed.self).isEmpty)
            await outbox.finish(within: .seconds(600))
        }

        @Test func `no committed notification is lost if connections are cut repeatedly`() async throws {
            let database = try await TestDatabase()
            let outbox = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            let worker = Worker()
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, retrying: RetryPolicy([.milliseconds(10)])
            ) {
                me, note in try await me.handle(note)
            }
            var committed: [Int] = []
            for round in 0..<10 {
                let connection = try await database.connector.open()
                for number in round * 20..<round * 20 + 20 {
                    if number % 20 == 10 { try await database.cut() }
                    do {
                        try await connection.transaction { try await outbox.post(Placed(number: number), in: $0) }
                        committed.append(number)
                    } catch { break }
                }
                await connection.close()
            }
            let all = Set(committed)
            await eventually("the worker has all numbers") { await Set(worker.numbers).isSuperset(of: all) }
            var seen: Set<Int> = []
            let firsts = await worker.numbers.filter { seen.insert($0).inserted }
            #expect(firsts == firsts.sorted())
            #expect(firsts == committed)
            await outbox.finish(within: .seconds(600))
        }

        @Test func `one of two replicas runs an observer, and the other takes over when the first finishes`()
            async throws
        {
            let database = try await TestDatabase()
            let (one, two) = (Worker(), Worker())
            let first = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            first.addObserver(one, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            await eventually(
                "the first program's observer runs", { first.runningObservers.first?.state }, until: { $0 == .running })
            let second = try await NotificationOutbox(
                in: database.connector, of: NativeNotificationCenter(), options: .quick)
            second.addObserver(two, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            await eventually(
                "the second program's observer has the state `elsewhere`", { second.runningObservers.first?.state },
                until: { $0 == .elsewhere })
            let connection = try await database.connector.open()
            try await connection.transaction { try await second.post(Placed(number: 1), in: $0) }
            await one.waitForAttempts(1)
            await first.finish(within: .seconds(600))
            try await connection.transaction { try await second.post(Placed(number: 2), in: $0) }
            await two.waitForAttempts(1)
            #expect(await one.numbers == [1])
            #expect(await two.numbers == [2])
            await second.finish(within: .seconds(600))
        }

        @Test
        func `a replica that lost its connections can't save progress if another replica has claimed the observer`()
            async throws
        {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector)
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            try await database.cut()
            let other = PostgresOutboxStore(database.connector)
            // `cut()` returns before the server has ended the connections.
            var claimed: (any OutboxObserverSession)?
            try await eventually("the observer can be claimed") {
                claimed = try await other.claim("worker", beginningAt: 0)
                return claimed != nil
            }
            let theirs = try #require(claimed)
            #expect(theirs.beginning.wasInterrupted)
            try await theirs.save(OutboxProgressChange(cursor: 9))
            // The first attempt may find that the connection has ended. The next one uses another connection.
            try await eventually("saving reports the lost lease") {
                do {
                    try await session.save(OutboxProgressChange(cursor: 5))
                    Issue.record("a session without a lease has saved")
                    return true
                } catch let error as OutboxError { return error.code == .leaseLost }
            }
            #expect(try await other.observers().map(\.cursor) == [9])
            await theirs.end(isClean: true)
            await store.stop()
            await other.stop()
        }

        @Test func `with an inbox, an effect happens once even if its notification is repeated`() async throws {
            let database = try await TestDatabase()
            let inbox = try await PostgresInbox(in: database.connector)
            let connection = try await database.connector.open()
            let delivery = Delivery7()
            for expected in [true, false] {
                let isNew = try await connection.transaction { transaction in
                    try await inbox.once(delivery, in: transaction) {
                        try await transaction.run("INSERT INTO orders VALUES(7)", [])
                    }
                }
                #expect(isNew == expected)
            }
            #expect(try await inbox.prune(olderThan: .seconds(-1)) == 1)
        }

        private struct Delivery7: IdentifiedDelivery {
            var deliverySource: String { "shop" }
            var deliveryID: String { "7" }
        }
    }
#endif
