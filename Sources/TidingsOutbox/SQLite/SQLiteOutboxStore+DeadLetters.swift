#if GRDB
    import GRDB

    extension SQLiteOutboxStore {
        /// Redelivers dead letters.
        public func redrive(for observer: String, positions: [Int64]?) async throws -> Int {
            try await change(
                "UPDATE tidings_held AS h SET buried = 0, attempts = 0, due = 0, buried_at = NULL WHERE buried = 1",
                observer, positions)
        }

        /// Removes all dead letters or, with positions, the dead letters and waiting rows at these positions.
        public func drop(for observer: String, positions: [Int64]?) async throws -> Int {
            try await change("DELETE FROM tidings_held AS h WHERE (buried = 1 OR ?2 IS NOT NULL)", observer, positions)
        }

        private func change(_ statement: String, _ observer: String, _ positions: [Int64]?) async throws -> Int {
            try await database.write { db in
                var changed: Set<Int64> = []
                for position in positions.map({ $0.map(Optional.some) }) ?? [nil] {
                    changed.formUnion(
                        try Int64.fetchSet(
                            db.cachedStatement(
                                sql: """
                                    \(statement) AND \(Self.isOf("?1")) AND (?2 IS NULL OR position = ?2)
                                    RETURNING position
                                    """), arguments: [observer, position]))
                }
                return changed.count
            }
        }

        /// Lists the rows that are retried or wait behind a retried row.
        public func waiting(for observer: String, limit: Int) async throws -> [OutboxWaitingRow] {
            try await held(for: observer, areDead: false, limit: limit)
        }

        /// Lists the dead letters of a durable observer.
        public func deadLetters(for observer: String, limit: Int) async throws -> [OutboxDeadLetter] {
            try await held(for: observer, areDead: true, limit: limit).map { OutboxDeadLetter($0) }
        }

        private func held(for observer: String, areDead: Bool, limit: Int) async throws -> [OutboxWaitingRow] {
            try await database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT o.id, o.name, o.version, o.at, o.body, o.scheduled, h.attempts, h.due, h.error
                        FROM tidings_held h JOIN tidings_outbox o ON o.id = h.position
                        WHERE \(Self.isOf("?1")) AND h.buried = ?3 GROUP BY h.position ORDER BY h.position LIMIT ?2
                        """, arguments: [observer, limit, areDead]
                ).map { row in
                    OutboxWaitingRow(row: Self.row(row, row[1]), attempts: row[6], due: row[7], error: row[8])
                }
            }
        }

        /// Removes old dead letters and inbox identities.
        public func expire(deadLetters: Duration?, inbox: Duration?, at time: Int64, limit: Int) async throws
            -> OutboxExpiry
        {
            // Most calls find nothing to remove. Such a call only reads, so that it doesn't delay writers.
            let isWorth = try await database.read { db in
                let isDead = try deadLetters.map { age in
                    try Bool.fetchOne(
                        db,
                        sql: """
                            SELECT EXISTS(SELECT 1 FROM tidings_held WHERE buried = 1
                                AND (buried_at IS NULL OR buried_at < ?))
                            """, arguments: [time - age.milliseconds])
                }
                let isOld = try inbox.map { age in
                    try Bool.fetchOne(
                        db, sql: "SELECT EXISTS(SELECT 1 FROM tidings_inbox WHERE at < ?)",
                        arguments: [time - age.milliseconds])
                }
                return isDead == true || isOld == true
            }
            if !isWorth { return OutboxExpiry() }
            return try await database.write { db in
                var expiry = OutboxExpiry()
                if let deadLetters {
                    expiry.deadLetters = try Self.expire(before: time - deadLetters.milliseconds, limit, db)
                    try db.execute(
                        sql: "UPDATE tidings_held SET buried_at = ? WHERE buried = 1 AND buried_at IS NULL",
                        arguments: [time])
                }
                if let inbox {
                    try db.execute(
                        sql: """
                            DELETE FROM tidings_inbox WHERE (source, id) IN (
                                SELECT source, id FROM tidings_inbox WHERE at < ? LIMIT ?)
                            """, arguments: [time - inbox.milliseconds, limit])
                    expiry.inboxEntries = db.changesCount
                }
                return expiry
            }
        }

        private static func expire(before time: Int64, _ limit: Int, _ db: Database) throws -> [String: Int] {
            // The partition of a row that can't be decoded isn't known, so several partitions may hold the row. The
            // dead letter counts once, and is removed from all of them.
            let letters = try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT substr(observer, 1, instr(observer || '/', '/') - 1), position FROM tidings_held
                    WHERE buried = 1 AND buried_at < ? LIMIT ?
                    """, arguments: [time, limit])
            var counts: [String: Int] = [:]
            for letter in letters {
                let (observer, position): (String, Int64) = (letter[0], letter[1])
                try db.cachedStatement(
                    sql: "DELETE FROM tidings_held AS h WHERE \(Self.isOf("?1")) AND h.position = ?2 AND h.buried = 1"
                ).execute(arguments: [observer, position])
                counts[observer, default: 0] += 1
            }
            return counts
        }
    }
#endif
