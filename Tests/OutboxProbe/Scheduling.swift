#if GRDB && Libpq
    import GRDB
    import TidingsOutbox

    /// Posts orders whose notifications are due later, and cancels some of these notifications at random times.
    struct Scheduling<Store: OutboxStore>: Sendable {
        private struct Undone: Error {}

        /// Stores an order and schedules its notification, in one transaction.
        let post: @Sendable (NotificationOutbox<Store>, Placed, _ delay: Int) async throws -> String
        /// Cancels a notification. If it was still scheduled, marks its order as cancelled, in the same transaction.
        let cancel: @Sendable (NotificationOutbox<Store>, String, Int) async throws -> Void

        /// Posts until the program is killed.
        func run(_ outbox: NotificationOutbox<Store>, from base: Int) async {
            for number in base... {
                let delay = Int.random(in: 1_000...5_000)
                let id = try? await post(outbox, Placed(number: number, customer: "\(number % 10)"), delay)
                if let id, Int.random(in: 0..<3) == 0 {
                    Task {
                        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...delay + 200)))
                        try? await cancel(outbox, id, number)
                    }
                }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    extension Scheduling where Store == SQLiteOutboxStore {
        init(_ pool: DatabasePool) {
            post = { outbox, note, delay in
                try await pool.write { db in
                    try db.execute(
                        sql: """
                            INSERT INTO orders(number, customer, due)
                            VALUES(?, ?, CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) + ?)
                            """, arguments: [note.number, note.customer, delay])
                    let id = try outbox.post(note, after: .milliseconds(delay), in: db)
                    if note.number % 9 == 0 { throw Undone() }
                    return id
                }
            }
            cancel = { outbox, id, number in
                try await pool.write { db in
                    guard try outbox.cancel(id, in: db) else { return }
                    try db.execute(sql: "UPDATE orders SET cancelled = 1 WHERE number = ?", arguments: [number])
                }
            }
        }
    }

    extension Scheduling where Store == PostgresOutboxStore {
        init(_ pool: LibpqPool) {
            post = { outbox, note, delay in
                try await pool.transaction { transaction in
                    try await transaction.run(
                        """
                        INSERT INTO orders(number, customer, due) VALUES($1::text::bigint, $2::text,
                            (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + $3::text::bigint * 1000)
                        """, ["\(note.number)", note.customer, "\(delay)"])
                    let id = try await outbox.post(note, after: .milliseconds(delay), in: transaction)
                    if note.number % 9 == 0 { throw Undone() }
                    return id
                }
            }
            cancel = { outbox, id, number in
                try await pool.transaction { transaction in
                    guard try await outbox.cancel(id, in: transaction) else { return }
                    try await transaction.run(
                        "UPDATE orders SET cancelled = 1 WHERE number = $1::text::bigint", ["\(number)"])
                }
            }
        }
    }
#endif
