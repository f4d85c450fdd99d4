#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    /// Tests that a role needs only the privileges in the article *With PostgreSQL*.
    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresGrantTests {
        private static func grants() throws -> [String] {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let article = try String(
                contentsOf: root.appending(path: "Sources/TidingsOutbox/Documentation.docc/WithPostgreSQL.md"),
                encoding: .utf8)
            let block = article.components(separatedBy: "```sql\n").first { $0.hasPrefix("GRANT") }
            return (block?.components(separatedBy: "```")[0] ?? "").split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            .filter { !$0.isEmpty }
        }

        @Test func `a role with only the documented privileges can run a program`() async throws {
            let database = try await TestDatabase()
            let owner = try await database.connector.open()
            let role = "r\(database.name)"
            let made = try await NotificationOutbox(
                in: database.connector, schema: "shop", of: NativeNotificationCenter())
            await made.finish(within: .seconds(600))
            try await owner.run("CREATE ROLE \(role) LOGIN", [])
            try await owner.run("GRANT INSERT ON orders TO \(role)", [])
            let grants = try Self.grants()
            #expect(grants.count >= 4)
            for grant in grants {
                try await owner.run(grant.replacing("TO app", with: "TO \(role)"), [])
            }

            let connector = LibpqConnector("\(postgresServer ?? "") dbname=\(database.name) user=\(role)")
            let restricted = try await connector.open()
            await #expect(throws: OutboxPostgresStatementFailed.self) {
                try await restricted.run("CREATE TABLE shop.other(a integer)", [])
            }
            await #expect(throws: OutboxPostgresStatementFailed.self) {
                try await restricted.run("DELETE FROM shop.tidings_meta", [])
            }
            var options = OutboxOptions.quick
            options.retention = .zero
            let recorder = RecordingNotificationCenter()
            let outbox = try await NotificationOutbox(
                PostgresOutboxStore(connector, schema: "shop"), of: recorder, options: options)
            let inbox = try await PostgresInbox(in: connector, schema: "shop")
            let pool = LibpqPool(connector)
            let worker = Worker()
            await worker.fail(3, times: 2)
            outbox.addObserver(
                worker, named: "worker", on: .actor, forStored: Placed.self, ordered: .by(\.customer, partitions: 2),
                retrying: RetryPolicy([.milliseconds(1)])
            ) { me, stored in
                try await me.handle(stored)
                _ = try await pool.transaction { transaction in
                    try await inbox.once(stored, in: transaction) {
                        try await transaction.run(
                            "INSERT INTO orders(id) VALUES($1::text::bigint)", ["\(stored.notification.number)"])
                    }
                }
            }
            // The retention is zero, so rows that are stored before the observer is registered would be removed.
            await eventually(
                "the observer runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
            for number in 1...5 {
                try await pool.transaction { transaction in
                    try await outbox.post(Placed(number: number, customer: "\(number)"), in: transaction)
                }
            }
            #expect(await outbox.drain(within: .seconds(600)) == [])
            #expect(try await outbox.deadLetters(for: "worker").count == 1)
            #expect(try await outbox.redrive(for: "worker") == 1)
            await eventually("the dead letter is handled", { await worker.numbers.count }, until: { $0 == 5 })
            let rows = "SELECT count(*)::text FROM shop.tidings_outbox"
            try await eventually("the rows are pruned", { try await owner.run(rows, []) }, until: { $0 == [["0"]] })
            #expect(try await inbox.prune(olderThan: .zero) == 5)
            #expect(try await owner.run("SELECT count(*)::text FROM orders", []) == [["5"]])
            #expect(try await outbox.registeredObservers().map(\.name) == ["worker"])
            await outbox.finish(within: .seconds(600))
            try await outbox.removeObserverAfterTheEnd(connector)
            #expect(!Faults(recorder).kinds.contains(.storeFailed))
            await pool.close()
            await restricted.close()
            try await owner.run("DROP OWNED BY \(role)", [])
            try await owner.run("DROP ROLE \(role)", [])
            await owner.close()
        }
    }

    extension NotificationOutbox<PostgresOutboxStore> {
        /// Removes the observer with another store that uses the same role, because this outbox has finished.
        fileprivate func removeObserverAfterTheEnd(_ connector: LibpqConnector) async throws {
            let store = PostgresOutboxStore(connector, schema: "shop")
            _ = try await store.prepare()
            try await store.remove("worker")
            await store.stop()
        }
    }
#endif
