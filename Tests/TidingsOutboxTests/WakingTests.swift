#if GRDB && Libpq
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox

    /// Tests of how observers are notified of stored rows. If a test's name doesn't mention the poll, the poll interval
    /// is too long for a poll during the test.
    @Suite(.timeLimit(.ofServers), .serialized) struct WakingTests {
        private var patient: OutboxOptions {
            var options = OutboxOptions.quick
            options.pollInterval = .seconds(3_600)
            return options
        }

        private func observe<Store: OutboxStore>(_ outbox: NotificationOutbox<Store>, _ worker: Worker) async {
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
                try await me.handle(note)
            }
            await eventually("the observer runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
        }

        @Test func `a durable observer is called after the commit if its program stores rows in SQLite`() async throws {
            let folder = TestFolder()
            let pool = try DatabasePool(path: folder.path("shop"))
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: patient)
            let worker = Worker()
            await observe(outbox, worker)
            for number in 1...3 {
                try await pool.write { try outbox.post(Placed(number: number), in: $0) }
                await worker.waitForAttempts(number)
            }
            await outbox.finish(within: .seconds(60))
        }

        @Test func `the poll finds rows that another program stores in SQLite`() async throws {
            let folder = TestFolder()
            let pool = try DatabasePool(path: folder.path("shop"))
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: .quick)
            let worker = Worker()
            await observe(outbox, worker)
            let other = try DatabasePool(path: folder.path("shop"))
            let theirs = try await NotificationOutbox(in: other, of: NativeNotificationCenter(), options: patient)
            try await other.write { try theirs.post(Placed(number: 1), in: $0) }
            await worker.waitForAttempts(1)
            await outbox.finish(within: .seconds(60))
            await theirs.finish(within: .zero)
        }

        @Test(.enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"))
        func `the server notifies a durable observer in another replica`() async throws {
            let database = try await TestDatabase()
            let outbox = try await NotificationOutbox(
                in: database.connector, of: NativeNotificationCenter(), options: patient)
            let worker = Worker()
            await observe(outbox, worker)
            let theirs = try await NotificationOutbox(
                in: database.connector, of: NativeNotificationCenter(), options: patient)
            let connection = try await database.connector.open()
            for number in 1...3 {
                try await connection.transaction { try await theirs.post(Placed(number: number), in: $0) }
                await worker.waitForAttempts(number)
            }
            #expect(await worker.numbers == [1, 2, 3])
            await outbox.finish(within: .seconds(60))
            await theirs.finish(within: .zero)
            await connection.close()
        }

        @Test(.enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"))
        func `the poll finds the rows of a transaction that is committed with a COMMIT statement`() async throws {
            let database = try await TestDatabase()
            let outbox = try await NotificationOutbox(
                in: database.connector, of: NativeNotificationCenter(), options: .quick)
            let worker = Worker()
            await observe(outbox, worker)
            let connection = try await database.connector.open()
            try await connection.run("BEGIN", [])
            try await outbox.post(Placed(number: 1), in: connection)
            try await connection.run("COMMIT", [])
            await worker.waitForAttempts(1)
            await outbox.finish(within: .seconds(60))
            await connection.close()
        }

        @Test func `programs that start together create the tables once`() async throws {
            let folder = TestFolder()
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            let pools = try (0..<6).map { _ in
                try DatabasePool(path: folder.path("shop"), configuration: configuration)
            }
            let identities = try await identities(of: pools.map { SQLiteOutboxStore($0) })
            #expect(identities.count == 1)
        }

        @Test(.enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"))
        func `replicas that start together create the tables once`() async throws {
            let database = try await TestDatabase()
            let stores = (0..<6).map { _ in PostgresOutboxStore(database.connector) }
            #expect(try await identities(of: stores).count == 1)
            for store in stores { await store.stop() }
        }

        private func identities<Store: OutboxStore>(of stores: [Store]) async throws -> Set<String> {
            try await withThrowingTaskGroup(of: String.self) { group in
                for store in stores { group.addTask { try await store.prepare().identity } }
                return try await group.reduce(into: []) { $0.insert($1) }
            }
        }
    }
#endif

#if GRDB && Libpq
    extension WakingTests {
        @Test func `a commit causes no query for observers of other types, and these observers have no backlog`()
            async throws
        {
            let folder = TestFolder()
            let questions = Lock(0)
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                db.trace { event in
                    if "\(event)".contains("FROM tidings_outbox WHERE id >") { questions.withLock { $0 += 1 } }
                }
            }
            let pool = try DatabasePool(path: folder.path("shop"), configuration: configuration)
            var options = OutboxOptions()
            // The poll interval is too long for a poll during the test.
            options.pollInterval = .seconds(3600)
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: options)
            let (worker, others) = (Worker(), Worker())
            for number in 0..<200 {
                outbox.addObserver(others, named: "other-\(number)", on: .actor, for: Cancelled.self) { _, _ in }
            }
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            await eventually("all observers run") { !outbox.runningObservers.contains(where: { $0.state != .running }) }
            // An observer queries the table when it starts and when a drain waits for it. Observers may share a query.
            #expect(await outbox.drain(within: .seconds(600)) == [])
            var before = -1
            try await eventually("nothing queries the table any longer") {
                let now = questions.withLock { $0 }
                if now == before { return true }
                before = now
                _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tidings_observer") }
                return false
            }
            for number in 1...20 {
                let delivery = try await pool.write { try outbox.deliver(Placed(number: number), in: $0) }
                #expect(await delivery.receipt(within: .seconds(600)).isComplete)
            }
            #expect(questions.withLock { $0 } - before < 100)
            await eventually("no observer has a backlog") {
                !outbox.runningObservers.contains(where: { $0.backlog > 0 })
            }
            // While an outbox finishes, each observer for which it waits queries the table.
            #expect(await outbox.finish(within: .seconds(600)) == [])
            #expect(try await outbox.registeredObservers().allSatisfy { $0.backlog == 0 })
        }
    }
#endif
