#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct LibpqTests {
        @Test func `a value with a zero byte throws an error instead of being truncated`() async throws {
            let connection = try await TestDatabase().connector.open()
            await #expect(throws: OutboxPostgresStatementFailed.self) {
                try await connection.run("SELECT $1::text", ["ab\0cd"])
            }
            #expect(try await connection.run("SELECT $1::text", ["ab"]) == [["ab"]])
            await connection.close()
        }

        @Test
        func
            `a statement works after its table was changed, but in a transaction only from the second use on`()
            async throws
        {
            let database = try await TestDatabase()
            let (connection, other) = (try await database.connector.open(), try await database.connector.open())
            try await connection.run("INSERT INTO orders VALUES(1)", [])
            let statement = "SELECT * FROM orders"
            #expect(try await connection.run(statement, []) == [["1"]])
            try await other.run("ALTER TABLE orders ADD COLUMN more text", [])
            #expect(try await connection.run(statement, []) == [["1", nil]])
            #expect(try await connection.run(statement, []) == [["1", nil]])
            try await other.run("ALTER TABLE orders ADD COLUMN most text", [])
            for isFirst in [true, false] {
                let rows = try? await connection.transaction { try await $0.run(statement, []) }
                #expect(isFirst || rows == [["1", nil, nil]])
            }
            await connection.close()
            await other.close()
        }

        @Test func `a statement of another task waits for the end of a transaction, and isn't part of it`() async throws
        {
            let connection = try await TestDatabase().connector.open()
            let (isOpen, goesOn) = (Gate(), Gate())
            let first = Task {
                try await connection.transaction { transaction in
                    try await transaction.run("INSERT INTO orders VALUES(1)", [])
                    isOpen.open()
                    await goesOn.wait()
                    throw Refused()
                }
            }
            await isOpen.wait()
            let second = Task { try await connection.run("INSERT INTO orders VALUES(2)", []) }
            let third = Task {
                try await connection.transaction { try await $0.run("INSERT INTO orders VALUES(3)", []) }
            }
            goesOn.open()
            await #expect(throws: Refused.self) { try await first.value }
            _ = try await second.value
            _ = try await third.value
            #expect(try await connection.run("SELECT id::text FROM orders o ORDER BY o.id", []) == [["2"], ["3"]])
            await connection.close()
        }

        @Test
        func `a connection rejects direct statements in a transaction, and an ended transaction rejects statements`()
            async throws
        {
            let connection = try await TestDatabase().connector.open()
            let kept = try await connection.transaction { transaction in
                await #expect(throws: OutboxPostgresStatementFailed.self) { try await connection.run("SELECT 1", []) }
                return transaction
            }
            await #expect(throws: OutboxPostgresStatementFailed.self) { try await kept.run("SELECT 1", []) }
            #expect(try await connection.run("SELECT 1::text", []) == [["1"]])
            await connection.close()
        }

        @Test func `a connection rejects direct statements even in a nested transaction of another connection`()
            async throws
        {
            let database = try await TestDatabase()
            let (outer, inner) = (try await database.connector.open(), try await database.connector.open())
            await returns("the transaction") {
                _ = try? await outer.transaction { _ in
                    try await inner.transaction { _ in
                        for used in [outer, inner] {
                            await #expect(throws: OutboxPostgresStatementFailed.self) {
                                try await used.run("SELECT 1", [])
                            }
                        }
                    }
                }
            }
            await outer.close()
            await inner.close()
        }

        @Test func `a task that was created in a transaction can use the connection after the transaction`()
            async throws
        {
            let connection = try await TestDatabase().connector.open()
            let isOver = Gate()
            let task = try await connection.transaction { _ in
                Task<[[String?]], any Error> {
                    await isOver.wait()
                    return try await connection.run("SELECT 1::text", [])
                }
            }
            isOver.open()
            #expect(try await task.value == [["1"]])
            await connection.close()
        }

        @Test func `a pool replaces connections that were cut and doesn't exceed its size`() async throws {
            let database = try await TestDatabase()
            let pool = LibpqPool(database.connector, size: 3)
            func insert(_ numbers: Range<Int>) async throws {
                try await withThrowingTaskGroup { group in
                    for number in numbers {
                        group.addTask {
                            try await pool.transaction { try await $0.run("INSERT INTO orders VALUES(\(number))", []) }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await insert(0..<30)
            let count = "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database()"
            #expect(try await pool.run(count) == [["3"]])
            try await database.cut()
            // `cut()` returns before the server has ended the connections.
            let admin = try await database.connector.open()
            try await eventually("one connection is left", { try await admin.run(count, []) }, until: { $0 == [["1"]] })
            await admin.close()
            // Even if the client hasn't noticed that the connections have ended, no transaction fails for that reason.
            try await insert(30..<60)
            #expect(try await pool.run("SELECT count(*)::text FROM orders") == [["60"]])
            await #expect(throws: OutboxPostgresStatementFailed.self) { try await pool.run("SELECT nothing") }
            await pool.close()
            await #expect(throws: OutboxPostgresConnectionEnded.self) { try await pool.run("SELECT 1") }
        }

        @Test func `a transaction begins on a new connection if the pooled one has ended unnoticed`() async throws {
            let (database, proxy) = (try await TestDatabase(), try TestDatabase.proxy())
            let pool = LibpqPool(LibpqConnector(database.parameters(through: proxy)), size: 1)
            for number in 0..<20 {
                try await pool.run("SELECT 1::text")
                // The client doesn't notice the end of the connection until the proxy continues.
                proxy.freeze()
                try await database.cut()
                let insert = Task {
                    try await pool.transaction { try await $0.run("INSERT INTO orders VALUES(\(number))", []) }
                }
                for _ in 0..<200 { await Task.yield() }
                proxy.goOn()
                _ = try await insert.value
            }
            #expect(try await pool.run("SELECT count(*)::text FROM orders") == [["20"]])
            await pool.close()
        }

        @Test func `the center's observers receive committed notifications, except those rolled back to a savepoint`()
            async throws
        {
            let database = try await TestDatabase()
            let recorder = RecordingNotificationCenter()
            let outbox = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            let pool = LibpqPool(database.connector)
            try await pool.transaction { transaction in
                try await outbox.post(Placed(number: 1), in: transaction)
                try await transaction.run("SAVEPOINT a", [])
                try await outbox.post(Placed(number: 2), in: transaction)
                try await transaction.run("SAVEPOINT b", [])
                try await outbox.post(Placed(number: 3), in: transaction)
                try await transaction.run("RELEASE b", [])
                try await transaction.run("ROLLBACK TO a", [])
                try await outbox.post(Placed(number: 4), in: transaction)
                try await transaction.run("SAVEPOINT c", [])
                try await outbox.post(Placed(number: 5), in: transaction)
                try await transaction.run("RELEASE c", [])
                try await outbox.post(Placed(number: 6), in: transaction)
            }
            await outbox.drain(within: .seconds(600))
            #expect(recorder.posted(Placed.self).map(\.number) == [1, 4, 5, 6])
            #expect(try await pool.run("SELECT count(*)::text FROM tidings_outbox") == [["4"]])
            await outbox.finish(within: .seconds(600))
            await pool.close()
        }

        @Test func `notifications of a transaction that uses plain BEGIN and COMMIT are posted after the commit`()
            async throws
        {
            let database = try await TestDatabase()
            let recorder = RecordingNotificationCenter()
            let outbox = try await NotificationOutbox(in: database.connector, of: recorder, options: .quick)
            let connection = try await database.connector.open()
            for (number, end) in ["ROLLBACK", "COMMIT"].enumerated() {
                try await connection.run("BEGIN", [])
                try await outbox.post(Placed(number: number), in: connection)
                try await connection.run(end, [])
            }
            // Outside a transaction, a statement is its own transaction.
            try await outbox.post(Placed(number: 2), in: connection)
            await outbox.drain(within: .seconds(600))
            #expect(recorder.posted(Placed.self).map(\.number) == [1, 2])
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }
    }
#endif
