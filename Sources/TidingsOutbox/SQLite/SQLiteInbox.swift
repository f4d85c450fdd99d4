#if GRDB
    public import GRDB
    public import TidingsWire

    /// Makes the effect of something that may be delivered twice happen once, if the effect is in the same database.
    ///
    /// ```swift
    /// _ = try await database.write { db in
    ///     try inbox.once(received, in: db) { try stock.take(received.notification, in: db) }
    /// }
    /// ```
    public struct SQLiteInbox: Sendable {
        private let database: any DatabaseWriter

        /// Opens the inbox of a database, and makes its table if it is not there.
        ///
        /// - Parameter database: The database. A connection without a busy timeout gets one of five seconds.
        /// - Throws: What SQLite says.
        public init(in database: any DatabaseWriter) async throws {
            self.database = database
            try await database.writeWithoutTransaction { try SQLiteSchema.waitForOthers($0) }
            _ = try await database.write { try SQLiteSchema.prepare($0) }
        }

        /// Does something in a transaction of yours, unless a transaction that was committed has done it.
        ///
        /// - Parameters:
        ///   - delivery: What may be delivered twice.
        ///   - db: The connection, in the transaction.
        ///   - effect: What to do. It is undone, and done another time, if the transaction is rolled back.
        /// - Returns: False if it was done before.
        /// - Throws: What the database says.
        @discardableResult
        public func once(_ delivery: some IdentifiedDelivery, in db: Database, do effect: () throws -> Void) throws
            -> Bool
        {
            try once(delivery.deliveryID, from: delivery.deliverySource, in: db, do: effect)
        }

        /// Does something in a transaction of yours, unless a transaction that was committed has done it.
        ///
        /// - Parameters:
        ///   - id: The identity of what may be delivered twice.
        ///   - source: Where it comes from.
        ///   - db: The connection, in the transaction.
        ///   - effect: What to do.
        /// - Returns: False if it was done before.
        /// - Throws: What the database says.
        @discardableResult
        public func once(_ id: String, from source: String, in db: Database, do effect: () throws -> Void) throws
            -> Bool
        {
            guard db.isInsideTransaction else {
                throw OutboxError(.invalidName, "an inbox needs a transaction, in which the effect happens, too")
            }
            var isNew = false
            try db.inSavepoint {
                try db.cachedStatement(
                    sql: "INSERT INTO tidings_inbox(source, id, at) VALUES(?, ?, ?) ON CONFLICT DO NOTHING"
                ).execute(arguments: [source, id, ElapsedClock.systemTime()])
                isNew = db.changesCount == 1
                if isNew { try effect() }
                return .commit
            }
            return isNew
        }

        /// Forgets what was done long ago. It must not be delivered any more by then.
        ///
        /// - Parameter age: How long ago.
        /// - Returns: How many identities were forgotten.
        /// - Throws: What the database says.
        @discardableResult
        public func prune(olderThan age: Duration) async throws -> Int {
            try await database.write { db in
                try db.execute(
                    sql: "DELETE FROM tidings_inbox WHERE at < ?",
                    arguments: [ElapsedClock.systemTime() - age.milliseconds])
                return db.changesCount
            }
        }
    }
#endif
