#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresOrderTests {
        /// Maps the number of each notification to the counter value that the notification's transaction has stored.
        private final class Changes: Sendable {
            let values = Lock<[Int: Int64]>([:])
        }

        private static func row(of post: Placed) throws -> OutboxPost { try OutboxPost(post) }

        @Test func `if transactions post before they change the same row, the posts are in the order of the commits`()
            async throws
        {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector)
            _ = try await store.prepare()
            let (one, two) = (try await database.connector.open(), try await database.connector.open())
            try await one.run("INSERT INTO orders VALUES(1)", [])
            try await one.run("BEGIN", [])
            try await store.append(try Self.row(of: Placed(number: 1)), in: one)
            try await two.run("BEGIN", [])
            try await store.append(try Self.row(of: Placed(number: 2)), in: two)
            try await store.append(try Self.row(of: Placed(number: 3)), in: two)
            for connection in [two, one] {
                try await connection.run("UPDATE orders SET id = 1", [])
                try await connection.run("COMMIT", [])
            }
            #expect(try await store.last() == 3)
            let page = try await store.page(after: 0, limit: 10, named: [Placed.wireName])
            #expect(try page.rows.map { try Placed.decoded($0.body).number } == [2, 3, 1])
            await store.stop()
            for connection in [one, two] { await connection.close() }
        }

        @Test
        func
            `when four workers post and then change one of two rows, the posts are in the order of each row's changes`()
            async throws
        {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector)
            _ = try await store.prepare()
            let pool = LibpqPool(database.connector, size: 4)
            try await pool.run("CREATE TABLE counters(id bigint PRIMARY KEY, value bigint NOT NULL)")
            try await pool.run("INSERT INTO counters SELECT g, 0 FROM generate_series(0, 1) g")
            let changes = Changes()
            try await withThrowingTaskGroup { group in
                for worker in 0..<4 {
                    group.addTask {
                        for round in 0..<100 {
                            let number = worker * 100 + round
                            let value = try await pool.transaction { transaction in
                                try await store.append(
                                    try PostgresOrderTests.row(of: Placed(number: number)), in: transaction)
                                return try await transaction.run(
                                    "UPDATE counters SET value = value + 1 WHERE id = $1::text::bigint RETURNING value::text",
                                    ["\(round % 2)"])[0][0]
                            }
                            changes.values.withLock { $0[number] = value.flatMap(Int64.init) }
                            _ = try await store.last()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.last() == 400)
            let page = try await store.page(after: 0, limit: 400, named: [Placed.wireName])
            let numbers = try page.rows.map { try Placed.decoded($0.body).number }
            for row in 0..<2 {
                let values = numbers.filter { $0 % 2 == row }.compactMap { number in
                    changes.values.withLock { $0[number] }
                }
                #expect(values == Array(1...200))
            }
            await pool.close()
            await store.stop()
        }
    }
#endif
