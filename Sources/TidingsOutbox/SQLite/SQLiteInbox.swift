#if GRDB
    public import GRDB

    /// An inbox, which applies the effect of a repeated delivery only once. The effect must be a change in the same
    /// database.
    ///
    /// ```swift
    /// _ = try await database.write { db in
    ///     try inbox.once(received, in: db) { try stock.take(received.notification, in: db) }
    /// }
    /// ```
    public struct SQLiteInbox: Sendable {
        private let database: any DatabaseWriter

        /// Opens the inbox of a database, and creates its table if it doesn't exist.
        ///
        /// - Parameter database: The database. A connection without a busy timeout gets one of five seconds.
        /// - Throws: An SQLite error.
        public init(in database: any DatabaseWriter) async throws {
            self.database = database
            try await database.writeWithoutTransaction { try SQLiteSchema.waitForOthers($0) }
            _ = try await database.write { try SQLiteSchema.prepare($0) }
        }

        /// Performs an effect in your transaction, unless a committed transaction has already performed it.
        ///
        /// - Parameters:
        ///   - delivery: The delivery that may be repeated.
        ///   - db: The connection, in the transaction.
        ///   - effect: The effect. If the transaction is rolled back, the effect is undone, and can be performed again.
        /// - Returns: False if the effect was performed before.
        /// - Throws: An error of the effect or of the database, such as `SQLITE_MISUSE` if no transaction is open.
        @discardableResult
        public func once(_ delivery: some IdentifiedDelivery, in db: Database, do effect: () throws -> Void) throws
            -> Bool
        {
            try once(delivery.deliveryID, from: delivery.deliverySource, in: db, do: effect)
        }

        /// Performs an effect in your transaction, unless a committed transaction has already performed it.
        ///
        /// - Parameters:
        ///   - id: The identity of the delivery that may be repeated.
        ///   - source: The source of the delivery.
        ///   - db: The connection, in the transaction.
        ///   - effect: The effect.
        /// - Returns: False if the effect was performed before.
        /// - Throws: An error of the effect or of the database, such as `SQLITE_MISUSE` if no transaction is open.
        @discardableResult
        public func once(_ id: String, from source: String, in db: Database, do effect: () throws -> Void) throws
            -> Bool
        {
            guard db.isInsideTransaction else {
                throw DatabaseError(
                    resultCode: .SQLITE_MISUSE, message: "use an inbox in a transaction, together with the effect")
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

        /// Removes the identities of old deliveries. If such a delivery is repeated later, its effect happens again.
        ///
        /// - Parameter age: The minimum age.
        /// - Returns: The number of removed identities.
        /// - Throws: An error of the database.
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
