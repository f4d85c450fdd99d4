#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox

    /// Tests of the rows about PostgreSQL and replicas in the table of the article *What survives*.
    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresSurvivalTests {
        /// A replica with a durable observer whose effect is stored in the database once, through an inbox.
        private final class Replica: Sendable {
            let center = NativeNotificationCenter()
            let connector: CuttingConnector
            let outbox: NotificationOutbox<PostgresOutboxStore>
            let worker = Worker()
            private let tokens: [NotificationToken]
            private let record = Record()

            private final class Record: Sendable {
                let state = Lock((heard: [Int](), faults: [OutboxFault.Kind]()))
            }

            init(in database: TestDatabase) async throws {
                connector = CuttingConnector(database.connector)
                let (record, worker) = (record, worker)
                // The effects use the same database over a connection that isn't cut.
                let inbox = try await PostgresInbox(in: database.connector)
                let connection = try await database.connector.open()
                outbox = try await NotificationOutbox(
                    PostgresOutboxStore(connector, leaseTime: .seconds(5)), of: center, options: .quick)
                tokens = [
                    center.addObserver(for: Placed.self) { note in
                        record.state.withLock { $0.heard.append(note.number) }
                    },
                    center.addObserver(for: OutboxFault.self) { fault in
                        record.state.withLock { $0.faults.append(fault.kind) }
                    },
                ]
                outbox.addObserver(
                    worker, named: "worker", on: .actor, forStored: Placed.self, from: .stored,
                    retrying: RetryPolicy(Array(repeating: .milliseconds(1), count: 1_000))
                ) { me, stored in
                    try await me.handle(stored)
                    try await connection.transaction { transaction in
                        _ = try await inbox.once(stored, in: transaction) {
                            try await transaction.run(
                                "INSERT INTO effects VALUES($1::text::bigint)", ["\(stored.notification.number)"])
                        }
                    }
                }
            }

            var heard: [Int] { record.state.withLock { $0.heard } }
            var faults: [OutboxFault.Kind] { record.state.withLock { $0.faults } }
            func waitToRun() async {
                await eventually(
                    "the observer runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
            }
            func finish() async { await outbox.finish(within: .seconds(60)) }
        }

        private func effects(_ database: TestDatabase) async throws -> [Int] {
            let connection = try await database.connector.open()
            let rows = try await connection.run("SELECT number::text FROM effects ORDER BY effects.number", [])
            await connection.close()
            return rows.compactMap { $0[0].flatMap(Int.init) }
        }

        private func makeDatabase() async throws -> TestDatabase {
            let database = try await TestDatabase()
            let connection = try await database.connector.open()
            try await connection.run("CREATE TABLE effects(number bigint NOT NULL)", [])
            await connection.close()
            return database
        }

        @Test(.survives("the connection to PostgreSQL is cut", .center, .durable, .inbox, on: [.postgres]))
        func `if the answer to a commit is lost, only durable observers receive the notification, and receive it once`()
            async throws
        {
            let database = try await makeDatabase()
            let replica = try await Replica(in: database)
            await replica.waitToRun()
            let connection = try await database.connector.open()
            try await connection.run("BEGIN", [])
            // The outbox isn't notified of the commit, as in a program that receives no answer to its commit.
            try await replica.outbox.post(Placed(number: 1), in: Untold(connection: connection))
            try await connection.run("COMMIT", [])
            await connection.close()
            try await eventually("the first effect is stored", { try await effects(database) }, until: { $0 == [1] })
            await replica.outbox.drain(within: .seconds(600))
            #expect(await replica.worker.attempts == [1])
            #expect(replica.heard == [])
            await replica.finish()
        }

        @Test(arguments: 0..<4)
        func `if a connection is cut during a transaction, either everything or nothing is stored`(
            place: Int
        )
            async throws
        {
            let database = try await makeDatabase()
            let replica = try await Replica(in: database)
            await replica.waitToRun()
            let connector = CuttingConnector(database.connector)
            let connection = try await connector.connect()
            // The statements are BEGIN, the order, its notification, and COMMIT. Place 2 cuts the connection before the
            // server executes COMMIT, and place 3 cuts it afterwards.
            connector.cut(at: min(place + 2, 4), after: place == 3)
            _ = try? await connection.run("BEGIN", [])
            _ = try? await connection.run("INSERT INTO orders VALUES(1)", [])
            try? await replica.outbox.post(Placed(number: 1), in: connection)
            _ = try? await connection.run("COMMIT", [])
            let other = try await database.connector.open()
            // The server notices that the first connection has ended, so that connection's transaction blocks nothing.
            try await other.transaction { transaction in
                try await transaction.run("INSERT INTO orders VALUES(2)", [])
                try await replica.outbox.post(Placed(number: 2), in: transaction)
            }
            try await eventually("the second effect is stored") { try await effects(database).contains(2) }
            let orders = try await other.run("SELECT id::text FROM orders ORDER BY orders.id", []).map { $0[0] }
            #expect(orders == (place == 3 ? ["1", "2"] : ["2"]))
            #expect(try await effects(database).map { "\($0)" } == orders)
            #expect(replica.heard == [2])
            await other.close()
            await replica.finish()
        }

        @Test(.survives("the replica that runs the observer ends", .center, .durable, .inbox, on: [.postgres]))
        func `if a replica loses its connections, another replica continues and marks repeated notifications`()
            async throws
        {
            let database = try await makeDatabase()
            let first = try await Replica(in: database)
            await first.waitToRun()
            let second = try await Replica(in: database)
            await first.worker.hold()
            let connection = try await database.connector.open()
            for number in 1...3 {
                try await connection.transaction { try await first.outbox.post(Placed(number: number), in: $0) }
            }
            await first.worker.waitForAttempts(1)
            // The first replica may have read all three notifications, so the second marks all three as repeated.
            #expect(try await first.outbox.store.last() == 3)
            await first.connector.goAway()
            try await eventually(
                "three effects are stored", { try await effects(database) }, until: { $0 == [1, 2, 3] })
            #expect(await second.worker.numbers == [1, 2, 3])
            #expect(await second.worker.repeated == [1, 2, 3])
            #expect(second.heard == [])
            // The first replica continues its call and finds that it has lost the observer's lease. The effect isn't
            // stored twice.
            await first.worker.letGo()
            first.connector.comeBack()
            await eventually("the first program reports that it lost the lease") { first.faults.contains(.leaseLost) }
            await eventually(
                "the first program's observer runs elsewhere", { first.outbox.runningObservers.first?.state },
                until: { $0 == .elsewhere })
            #expect(try await effects(database) == [1, 2, 3])
            #expect(try await second.outbox.registeredObservers().map(\.backlog) == [0])
            await second.finish()
            await first.waitToRun()
            try await connection.transaction { try await first.outbox.post(Placed(number: 4), in: $0) }
            try await eventually(
                "four effects are stored", { try await effects(database) }, until: { $0 == [1, 2, 3, 4] })
            await first.finish()
            await connection.close()
        }

        @Test func `a server that is unavailable for a while is reported once, and nothing is lost`() async throws {
            let database = try await makeDatabase()
            let replica = try await Replica(in: database)
            await replica.waitToRun()
            let connection = try await database.connector.open()
            try await connection.transaction { try await replica.outbox.post(Placed(number: 1), in: $0) }
            try await eventually("the first effect is stored", { try await effects(database) }, until: { $0 == [1] })
            await replica.connector.goAway()
            // Notifications that are stored in the meantime are found when the replica can connect again.
            for number in 2...9 {
                try await connection.transaction { try await replica.outbox.post(Placed(number: number), in: $0) }
            }
            await eventually("the replica reports that the store failed") { replica.faults.contains(.storeFailed) }
            #expect(await replica.outbox.drain(within: .milliseconds(50)).map(\.name) == ["worker"])
            replica.connector.comeBack()
            try await eventually(
                "nine effects are stored", { try await effects(database) }, until: { $0 == Array(1...9) })
            await eventually("the replica reports that the store recovered") {
                replica.faults.contains(.storeRecovered)
            }
            #expect(replica.faults.filter { $0 == .storeFailed }.count == 1)
            #expect(replica.faults.filter { $0 == .storeRecovered }.count == 1)
            await connection.close()
            await replica.finish()
        }
    }
#endif
