#if GRDB
    import GRDB

    enum SQLiteWrite: Sendable {
        case claim(String, partitions: Int, beginningAt: Int64)
        case save(OutboxProgressChange, of: String)
        /// Ends a session cleanly: no row after the saved cursor was handled.
        case end(String)

        struct Outcome: Sendable {
            var claimed: OutboxProgress?
            /// The positions of rows that a save didn't update, because they were dropped.
            var dropped: Set<Int64> = []
        }

        /// The maximum number of writes in one transaction. Posts wait until the transaction ends.
        static let limit = 256

        /// Performs writes in one transaction. If a write fails, the other writes are still committed, unless SQLite
        /// rolls the whole transaction back.
        static func perform(
            _ writes: [SQLiteWrite], in database: any DatabaseWriter
        ) async throws -> [Result<Outcome, any Error>] {
            try await database.write { db in try writes.map { try $0.attempt(db) } }
        }

        /// Performs the write, and returns its value or error. Throws the error only if it has ended the transaction.
        private func attempt(_ db: Database) throws -> Result<Outcome, any Error> {
            do {
                if isOneStatement { return .success(try apply(db)) }
                var outcome = Outcome()
                try db.inSavepoint {
                    outcome = try apply(db)
                    return .commit
                }
                return .success(outcome)
            } catch let error as OutboxError { return .failure(error) } catch {
                // After some errors, SQLite rolls the transaction back, and would commit each later write separately.
                if !db.isInsideTransaction { throw error }
                return .failure(error)
            }
        }

        /// A single statement that fails has no effect, so it needs no savepoint.
        private var isOneStatement: Bool {
            switch self {
            case .claim: false
            case .save(let change, _): !change.changesHeld
            case .end: true
            }
        }

        private func apply(_ db: Database) throws -> Outcome {
            switch self {
            case .claim(let observer, let partitions, let beginning):
                return Outcome(claimed: try Self.claim(observer, partitions, beginning, db))
            case .save(let change, let observer): return Outcome(dropped: try Self.save(change, of: observer, db))
            case .end(let observer):
                try db.cachedStatement(sql: "UPDATE tidings_observer SET clean = 1 WHERE name = ?")
                    .execute(arguments: [observer])
                return Outcome()
            }
        }

        private static func claim(_ observer: String, _ wanted: Int, _ beginning: Int64, _ db: Database) throws
            -> OutboxProgress?
        {
            if Partitions.index(of: observer) == 0 {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO tidings_observer(name, cursor, clean, seen, abandoned) VALUES(?, ?, 1, ?, 0)
                        ON CONFLICT DO NOTHING
                        """
                ).execute(arguments: [observer, beginning, ElapsedClock.systemTime()])
            }
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT cursor, clean, abandoned, partitions FROM tidings_observer WHERE name = ?"),
                arguments: [observer])
            guard let row else { return nil }
            let count = max(row["partitions"] ?? 1, wanted)
            if row["partitions"] != count { try divide(observer, row["partitions"], count, db) }
            try db.cachedStatement(sql: "UPDATE tidings_observer SET clean = 0, abandoned = 0, seen = ? WHERE name = ?")
                .execute(arguments: [ElapsedClock.systemTime(), observer])
            return OutboxProgress(
                cursor: row["cursor"], held: try SQLiteSession.held(observer, db), wasInterrupted: row["clean"] == 0,
                wasAbandoned: row["abandoned"] == 1, newest: try SQLiteOutboxStore.last(db), partitions: count)
        }

        private static func divide(_ name: String, _ old: Int, _ new: Int, _ db: Database) throws {
            let (observer, index) = (Partitions.observer(of: name), Partitions.index(of: name))
            try db.execute(sql: "UPDATE tidings_observer SET partitions = ? WHERE name = ?", arguments: [new, name])
            // Programs of version 1 don't support partitions, so they can no longer open the tables.
            try db.execute(sql: "UPDATE tidings_meta SET value = '2' WHERE key = 'version'")
            let children = Partitions.children(of: index, dividing: old, into: new).map {
                Partitions.name(observer, $0)
            }
            for child in children {
                try db.execute(
                    sql: """
                        INSERT INTO tidings_observer(name, cursor, clean, seen, abandoned, partitions)
                        SELECT ?, cursor, clean, seen, abandoned, partitions FROM tidings_observer WHERE name = ?
                        """, arguments: [child, name])
            }
            let held = try Row.fetchAll(
                db, sql: "SELECT position, key FROM tidings_held WHERE observer = ?", arguments: [name])
            for row in held {
                let (position, key): (Int64, String) = (row[0], row[1])
                if Partitions.isUnreadable(key) {
                    for child in children {
                        try db.execute(
                            sql: """
                                INSERT INTO tidings_held(
                                    observer, position, key, attempts, due, error, buried, buried_at)
                                SELECT ?, position, key, attempts, due, error, buried, buried_at FROM tidings_held
                                WHERE observer = ? AND position = ?
                                """, arguments: [child, name, position])
                    }
                } else {
                    try db.execute(
                        sql: "UPDATE tidings_held SET observer = ? WHERE observer = ? AND position = ?",
                        arguments: [Partitions.name(observer, Partitions.index(of: key, among: new)), name, position])
                }
            }
        }

        private static func save(_ change: OutboxProgressChange, of observer: String, _ db: Database) throws
            -> Set<Int64>
        {
            try db.cachedStatement(sql: "UPDATE tidings_observer SET cursor = ?, seen = ? WHERE name = ?")
                .execute(arguments: [change.cursor, ElapsedClock.systemTime(), observer])
            if db.changesCount == 0 { throw OutboxError(.leaseLost, "\(observer) was removed") }
            for row in change.held {
                try db.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO tidings_held(observer, position, key, attempts, due, error, buried)
                        VALUES(?, ?, ?, ?, ?, ?, ?)
                        """
                ).execute(arguments: [
                    observer, row.position, row.key, row.attempts, row.due, row.error, row.isDeadLetter,
                ])
            }
            var dropped: Set<Int64> = []
            for row in change.updated {
                try db.cachedStatement(
                    sql: """
                        UPDATE tidings_held SET attempts = ?, due = ?, error = ?, buried = ?, buried_at = NULL
                        WHERE observer = ? AND position = ?
                        """
                ).execute(arguments: [row.attempts, row.due, row.error, row.isDeadLetter, observer, row.position])
                if db.changesCount == 0 { dropped.insert(row.position) }
            }
            for position in change.released {
                try db.cachedStatement(sql: "DELETE FROM tidings_held WHERE observer = ? AND position = ?")
                    .execute(arguments: [observer, position])
            }
            return dropped
        }
    }
#endif
