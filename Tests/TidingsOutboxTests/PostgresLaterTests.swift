#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsTesting

    @testable import TidingsOutbox

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresLaterTests {
        private let worker = Worker()

        private func open(_ database: TestDatabase, offBy hours: Int64 = 0, polling: Duration = .milliseconds(20))
            async throws -> NotificationOutbox<PostgresOutboxStore>
        {
            var options = OutboxOptions.quick
            options.pollInterval = polling
            return try await NotificationOutbox(
                PostgresOutboxStore(database.connector), of: NativeNotificationCenter(), options: options,
                clock: ContinuousClock(),
                wall: { Int64(Date().timeIntervalSince1970 * 1000) + hours * 3_600_000 })
        }

        private func observe(_ outbox: NotificationOutbox<PostgresOutboxStore>) {
            outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
                try await me.handle(note)
            }
        }

        private func makeDue(_ connection: LibpqConnection, _ condition: String = "true") async throws {
            try await connection.run(
                "UPDATE tidings_scheduled SET due = clock_timestamp() - interval '1 second' * (100 - id) WHERE \(condition)",
                [])
        }

        @Test
        func `scheduled notifications are received when they are due, with the identity that their post returned`()
            async throws
        {
            let database = try await TestDatabase()
            let outbox = try await open(database)
            let connection = try await database.connector.open()
            let ids = Lock<[String]>([])
            outbox.addObserver(worker, named: "worker", on: .actor, forStored: Placed.self, from: .stored) {
                me, stored in
                ids.withLock { $0.append(stored.id) }
                try await me.handle(stored)
            }
            try? await connection.transaction { transaction in
                try await outbox.post(Placed(number: 1), after: .milliseconds(1), in: transaction)
                throw Refused()
            }
            let (late, soon, gone) = try await connection.transaction { transaction in
                (
                    try await outbox.post(Placed(number: 2), after: .seconds(3_600), in: transaction),
                    try await outbox.post(Placed(number: 3), after: .milliseconds(50), in: transaction),
                    try await outbox.post(Placed(number: 4), at: Date() + 3_600, in: transaction)
                )
            }
            await worker.waitForAttempts(1)
            #expect(Set(try await outbox.scheduledNotifications().map { outbox.id(of: $0.row) }) == [late, gone])
            try? await connection.transaction { transaction in
                #expect(try await outbox.cancel(late, in: transaction))
                throw Refused()
            }
            #expect(try await outbox.cancel(gone))
            #expect(try await !outbox.cancel(soon))
            try await makeDue(connection)
            await worker.waitForAttempts(2)
            #expect(await worker.numbers == [3, 2])
            #expect(ids.withLock { $0 } == [soon, late])
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }

        @Test func `scheduled notifications are received on time even with a long poll interval`() async throws {
            let database = try await TestDatabase()
            let outbox = try await open(database, polling: .seconds(100_000))
            observe(outbox)
            let connection = try await database.connector.open()
            for number in 1...2 {
                _ = try await connection.transaction { transaction in
                    try await outbox.post(Placed(number: number), after: .milliseconds(200 * number), in: transaction)
                }
            }
            await worker.waitForAttempts(2)
            #expect(await worker.numbers == [1, 2])
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }

        @Test(arguments: [-1, 1] as [Int64])
        func `a delay is measured by the database's clock, even if the program's clock is an hour off`(hours: Int64)
            async throws
        {
            let database = try await TestDatabase()
            let outbox = try await open(database, offBy: hours)
            let connection = try await database.connector.open()
            _ = try await connection.transaction { transaction in
                try await outbox.post(Placed(number: 1), after: .seconds(1_800), in: transaction)
            }
            let delay = "SELECT round(extract(epoch FROM due - at) / 600)::text FROM tidings_scheduled"
            #expect(try await connection.run(delay, []) == [["3"]])
            let last = try await outbox.store.moveDue(at: .max)
            #expect(last.last == 0 && last.next.map { $0 > .zero && $0 <= .seconds(1_800) } == true)
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }

        @Test func `notifications can be scheduled for times far in the past and the future`() async throws {
            let database = try await TestDatabase()
            let outbox = try await open(database)
            observe(outbox)
            let connection = try await database.connector.open()
            let year = try await connection.transaction { transaction in
                try await outbox.post(Placed(number: 1), at: .distantPast, in: transaction)
                try await outbox.post(Placed(number: 2), after: .seconds(Int64.max), in: transaction)
                try await outbox.post(Placed(number: 3), at: Date(timeIntervalSince1970: .infinity), in: transaction)
                return try await outbox.post(Placed(number: 4), after: .seconds(366 * 86_400), in: transaction)
            }
            await worker.waitForAttempts(1)
            #expect(await worker.numbers == [1])
            #expect(try await outbox.scheduledNotifications(limit: 1).map { outbox.id(of: $0.row) } == [year])
            #expect(try await outbox.scheduledNotifications().count == 3)
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }

        @Test func `a due notification isn't lost if a program is killed while moving it to the outbox`() async throws {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector)
            _ = try await store.prepare()
            let killed = try await database.connector.open()
            _ = try await store.schedule(OutboxPost(Placed(number: 1)), .after(0), in: killed)
            try await killed.run("BEGIN", [])
            #expect(try await killed.run("SELECT given::text FROM tidings_sequence_rows()", []) == [["1"]])
            await killed.close()
            #expect(try await store.scheduled(limit: 10).count == 1)
            await store.stop()
            let outbox = try await open(database)
            observe(outbox)
            await worker.waitForAttempts(1)
            #expect(await outbox.drain(within: .seconds(600)).isEmpty)
            #expect(await worker.numbers == [1])
            #expect(try await outbox.scheduledNotifications().isEmpty)
            await outbox.finish(within: .seconds(600))
        }

        @Test func `several programs move due notifications to the outbox once, ordered by due time`() async throws {
            let database = try await TestDatabase()
            let stores = (0..<3).map { _ in PostgresOutboxStore(database.connector) }
            for store in stores { _ = try await store.prepare() }
            let connection = try await database.connector.open()
            try await connection.run(
                """
                INSERT INTO tidings_scheduled(name, version, encoding, body, due)
                SELECT 'test.placed', 1, 0, n::text, now() - make_interval(secs => 20000 - n)
                FROM generate_series(1, 12000) n ORDER BY n * 7919 % 12000
                """, [])
            try await withThrowingTaskGroup { group in
                for store in stores { group.addTask { _ = try await store.moveDue(at: 0) } }
                try await group.waitForAll()
            }
            let last = try await stores[0].moveDue(at: 0)
            #expect(last.last == 12_000 && last.next == nil)
            let rows = try await stores[0].page(after: 0, limit: 20_000, named: [Placed.wireName]).rows
            #expect(rows.map { String(decoding: $0.body, as: UTF8.self) } == (1...12_000).map { "\($0)" })
            for store in stores { await store.stop() }
            await connection.close()
        }

        @Test func `a notification that becomes due while it is being cancelled is either cancelled or received`()
            async throws
        {
            let database = try await TestDatabase()
            let (store, other) = (PostgresOutboxStore(database.connector), PostgresOutboxStore(database.connector))
            _ = try await store.prepare()
            _ = try await other.prepare()
            let connection = try await database.connector.open()
            for _ in 1...20 {
                var ids: [Int64] = []
                for number in 1...20 {
                    ids.append(
                        try await store.schedule(
                            OutboxPost(Placed(number: number)), .after(0), in: connection
                        ).id)
                }
                async let moving = other.moveDue(at: 0)
                var cancelled: Set<Int64> = []
                for id in ids.shuffled() where try await store.cancel(id) { cancelled.insert(id) }
                _ = try await moving
                _ = try await store.moveDue(at: 0)
                let moved = try await store.page(after: 0, limit: 10_000, named: [Placed.wireName]).rows.map(\.id)
                #expect(Set(ids).subtracting(cancelled).isSubset(of: moved))
                #expect(cancelled.isDisjoint(with: moved))
            }
            await store.stop()
            await other.stop()
            await connection.close()
        }

        @Test func `an open transaction that cancels a notification doesn't delay other notifications`() async throws {
            let database = try await TestDatabase()
            let outbox = try await open(database)
            observe(outbox)
            let (connection, other) = (try await database.connector.open(), try await database.connector.open())
            let ids = try await connection.transaction { transaction in
                [
                    try await outbox.post(Placed(number: 1), after: .seconds(3_600), in: transaction),
                    try await outbox.post(Placed(number: 2), after: .seconds(3_600), in: transaction),
                ]
            }
            try await connection.run("BEGIN", [])
            // The open transaction cancels the first notification, and the second becomes due in the meantime.
            #expect(try await outbox.cancel(ids[0], in: Untold(connection: connection)))
            try await makeDue(other, "body LIKE '%2%'")
            await worker.waitForAttempts(1)
            #expect(await worker.numbers == [2])
            try await connection.run("ROLLBACK", [])
            #expect(try await outbox.scheduledNotifications().count == 1)
            try await makeDue(other)
            await worker.waitForAttempts(2)
            #expect(await worker.numbers == [2, 1])
            await outbox.finish(within: .seconds(600))
            await connection.close()
            await other.close()
        }
    }
#endif
