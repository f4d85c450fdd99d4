#if GRDB
    import GRDB

    extension SQLiteOutboxStore {
        /// Lists the durable observers in the table.
        public func observers() async throws -> [DurableObserverRecord] {
            try await database.read { db in
                let last = try Self.last(db)
                let partitions = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT name, cursor, seen, abandoned,
                            (SELECT at FROM tidings_outbox WHERE id > cursor ORDER BY id LIMIT 1),
                            (SELECT at FROM tidings_outbox WHERE id =
                                (SELECT MIN(position) FROM tidings_held WHERE observer = o.name AND buried = 0)),
                            (SELECT COUNT(*) FROM tidings_held WHERE observer = o.name AND buried = 0),
                            -- Several partitions may hold a row that no program can decode.
                            CASE WHEN instr(name, '/') = 0 THEN (
                                SELECT COUNT(DISTINCT position) FROM tidings_held h
                                WHERE \(Self.isOf("o.name")) AND buried = 1) ELSE 0 END
                        FROM tidings_observer o
                        """
                ).map { row in
                    let oldest = [row[4], row[5]].compactMap { $0 as Int64? }.min()
                    return DurableObserverRecord(
                        name: row[0], cursor: row[1], backlog: Int(max(0, last - row[1])), oldest: oldest, held: row[6],
                        deadLetters: row[7], seenAt: row[2], isAbandoned: row[3])
                }
                return DurableObserverRecord.combined(partitions)
            }
        }

        /// Matches held rows `h` of an observer and of its partitions `NAME/…`. The range ends at `0`, which follows
        /// `/` in ASCII.
        static func isOf(_ observer: String) -> String {
            "(h.observer = \(observer) OR (h.observer > \(observer) || '/' AND h.observer < \(observer) || '0'))"
        }

        /// Returns the durable observers with held rows that aren't dead letters.
        public func observersWithHeldRows() async throws -> Set<String> {
            try await database.read { db in
                let names = try String.fetchSet(
                    db.cachedStatement(sql: "SELECT DISTINCT observer FROM tidings_held WHERE buried = 0"))
                return Set(names.map(Partitions.observer))
            }
        }

        /// Removes a durable observer with its dead letters.
        public func remove(_ observer: String) async throws {
            try await database.write { db in
                let names = try String.fetchAll(db, sql: "SELECT name FROM tidings_observer")
                for name in names where Partitions.observer(of: name) == observer {
                    try db.execute(sql: "DELETE FROM tidings_observer WHERE name = ?", arguments: [name])
                    try db.execute(sql: "DELETE FROM tidings_held WHERE observer = ?", arguments: [name])
                }
            }
        }

        /// Removes rows that no durable observer needs.
        public func prune(storedBefore time: Int64, abandonedBefore seen: Int64, limit: Int) async throws
            -> (removed: Int, abandoned: [String])
        {
            // Most calls find nothing to remove. Such a call only reads, so that it doesn't delay writers.
            let (file, unseen, isWorth) = try await database.read { db in
                (
                    try ObserverLock.file(db), try Self.unseen(since: seen, db),
                    try !Self.prunable(storedBefore: time, limit: limit, db).isEmpty
                )
            }
            // The wall clock may have jumped, so an observer may be running even if it was last seen long ago. A
            // running observer holds its lock, so only observers whose locks are free are marked as abandoned. The
            // locks are kept until the change is written, so that no program claims these observers in the meantime.
            let locks = try unseen.filter { !claimed.contains($0) }.compactMap { name in
                try ObserverLock(name, beside: file).map { (name, $0) }
            }
            defer { for (_, lock) in locks { lock.unlock() } }
            guard isWorth || !locks.isEmpty else { return (0, []) }
            return try await database.write { db in
                let unseen = Set(try Self.unseen(since: seen, db))
                let abandoned = locks.map(\.0).filter(unseen.contains)
                for name in abandoned {
                    try db.execute(sql: "UPDATE tidings_observer SET abandoned = 1 WHERE name = ?", arguments: [name])
                }
                let positions = try Self.prunable(storedBefore: time, limit: limit, db)
                for position in positions {
                    try db.cachedStatement(sql: "DELETE FROM tidings_outbox WHERE id = ?").execute(arguments: [position]
                    )
                }
                return (positions.count, Set(abandoned.map(Partitions.observer)).sorted())
            }
        }

        private static func unseen(since seen: Int64, _ db: Database) throws -> [String] {
            try String.fetchAll(
                db, sql: "SELECT name FROM tidings_observer WHERE abandoned = 0 AND seen < ? ORDER BY name",
                arguments: [seen])
        }

        /// Returns the positions of rows to remove. The search ends at the first row that is too recent.
        private static func prunable(storedBefore time: Int64, limit: Int, _ db: Database) throws -> [Int64] {
            let cursor =
                try Int64.fetchOne(db, sql: "SELECT MIN(cursor) FROM tidings_observer WHERE abandoned = 0") ?? .max
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT id, at, EXISTS(
                            SELECT 1 FROM tidings_held h JOIN tidings_observer o ON o.name = h.observer
                            WHERE h.position = id AND o.abandoned = 0)
                        FROM tidings_outbox WHERE id <= ? ORDER BY id
                        """), arguments: [cursor])
            var positions: [Int64] = []
            while positions.count < limit, let row = try rows.next() {
                if row[2] { continue }
                let at: Int64 = row[1]
                if at >= time { break }
                positions.append(row[0])
            }
            return positions
        }
    }
#endif
