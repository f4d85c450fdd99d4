#if GRDB
    package import GRDB

    extension SQLiteOutboxStore {
        /// The maximum number of rows to move in one transaction. Posts wait until the transaction ends.
        private static let moveLimit = 1_000

        /// Stores a scheduled row. Returns its number, which is negative, unlike the numbers of other rows.
        package func schedule(_ post: OutboxPost, in db: Database, due: Int64, at time: Int64) throws -> Int64 {
            try db.cachedStatement(
                sql: "INSERT INTO tidings_scheduled(name, version, body, at, due) VALUES(?, ?, ?, ?, ?)"
            ).execute(arguments: [post.name, post.version, post.body, time, due])
            return -db.lastInsertedRowID
        }

        /// Assigns positions to the scheduled rows that are due.
        public func moveDue(at time: Int64) async throws -> (last: Int64, next: Duration?) {
            while true {
                // Most calls find nothing to move. Such a call only reads, so that it doesn't delay writers.
                let (last, next) = try await database.read { db in
                    let next = try db.cachedStatement(sql: "SELECT MIN(due) FROM tidings_scheduled")
                    return (try Self.last(db), try Int64.fetchOne(next))
                }
                guard let next, next <= time else { return (last, next.map { .milliseconds($0 - time) }) }
                try await database.write { try Self.moveDue(at: time, $0) }
            }
        }

        static func moveDue(at time: Int64, _ db: Database) throws {
            let ids = try Int64.fetchAll(
                db.cachedStatement(sql: "SELECT id FROM tidings_scheduled WHERE due <= ? ORDER BY due, id LIMIT ?"),
                arguments: [time, moveLimit])
            for id in ids {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO tidings_outbox(name, version, body, at, scheduled)
                        SELECT name, version, body, MAX(due, at), -id FROM tidings_scheduled WHERE id = ?
                        """
                ).execute(arguments: [id])
                try db.cachedStatement(sql: "DELETE FROM tidings_scheduled WHERE id = ?").execute(arguments: [id])
            }
        }

        /// Lists the scheduled rows, in the order in which they are due.
        public func scheduled(limit: Int) async throws -> [OutboxScheduledRow] {
            try await database.read { db in
                try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT 0, name, version, at, body, -id, due FROM tidings_scheduled ORDER BY due, id LIMIT ?
                            """), arguments: [limit]
                ).map { OutboxScheduledRow(row: Self.row($0, $0[1]), due: $0[6]) }
            }
        }

        /// Makes a scheduled row due now.
        public func makeDue(_ id: Int64, at time: Int64) async throws -> Bool {
            // The negative of `.min` overflows. The identity may come from outside, such as from the inspector.
            guard id > .min else { return false }
            return try await database.write { db in
                try db.execute(
                    sql: "UPDATE tidings_scheduled SET due = MIN(due, ?) WHERE id = ?", arguments: [time, -id])
                return db.changesCount == 1
            }
        }

        /// Removes a scheduled row.
        public func cancel(_ id: Int64) async throws -> Bool {
            try await database.write { try Self.cancel(id, in: $0) }
        }

        static func cancel(_ id: Int64, in db: Database) throws -> Bool {
            guard id > .min else { return false }
            try db.cachedStatement(sql: "DELETE FROM tidings_scheduled WHERE id = ?").execute(arguments: [-id])
            return db.changesCount == 1
        }
    }
#endif
