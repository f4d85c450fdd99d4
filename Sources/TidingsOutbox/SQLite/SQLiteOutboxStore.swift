#if GRDB
    public import GRDB

    /// A store in SQLite, through GRDB.
    ///
    /// Rows are in the order of the commits, because SQLite has one writer at a time. Several programs on one machine
    /// can open the file. The program that runs a durable observer holds a lock on a file beside the database.
    public final class SQLiteOutboxStore: OutboxStore {
        /// The failures that a commit survives.
        @nonexhaustive
        public enum Durability: String, Sendable {
            /// A commit survives even a loss of power (`PRAGMA synchronous = FULL`).
            case full = "FULL"
            /// Commits are faster. They survive a crash, but perhaps not a power loss (`PRAGMA synchronous = NORMAL`).
            case normal = "NORMAL"
        }

        package let database: any DatabaseWriter
        private let durability: Durability
        let commits = PendingCommits()
        /// The observers that this program runs. An in-memory database has no lock files, only this set.
        let claimed = ClaimedObservers()
        let writes: GroupedWork<SQLiteWrite, SQLiteWrite.Outcome>

        /// Creates a store for an open database.
        ///
        /// - Parameters:
        ///   - database: The database, preferably a pool. A connection without a busy timeout gets one of five seconds.
        ///   - durability: The failures that commits survive. This also applies to your own commits on this connection.
        public init(_ database: any DatabaseWriter, durability: Durability = .full) {
            self.database = database
            self.durability = durability
            writes = GroupedWork(atMost: SQLiteWrite.limit) { try await SQLiteWrite.perform($0, in: database) }
        }

        /// Creates the tables, or migrates them to this version: see ``OutboxStore``.
        public func prepare() async throws -> (identity: String, last: Int64) {
            let durability = durability
            try await database.writeWithoutTransaction { db in
                // A pool resets `synchronous` after `prepareDatabase`, so the value is set here.
                try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                try SQLiteSchema.waitForOthers(db)
            }
            return try await database.write { db in
                let identity = try SQLiteSchema.prepare(db)
                return (identity, try Self.last(db))
            }
        }

        /// Does nothing, because the outbox polls the database.
        public func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async {}
        /// Does nothing.
        public func stop() async {}

        /// The last position.
        public func last() async throws -> Int64 { try await database.read { try Self.last($0) } }

        static func last(_ db: Database) throws -> Int64 {
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'tidings_outbox'")) ?? 0
        }

        /// Claims a partition of a durable observer, so that no other program runs it.
        public func claim(
            _ observer: String, partition index: Int, of count: Int, beginningAt beginning: Int64
        ) async throws -> (any OutboxObserverSession)? {
            let name = Partitions.name(observer, index)
            let file = try await database.read { try ObserverLock.file($0) }
            guard let lock = try ObserverLock(name, beside: file) else { return nil }
            guard claimed.add(name) else { return nil }
            lock.whenUnlocked { [claimed] in claimed.remove(name) }
            guard let saved = try await writes(.claim(name, partitions: count, beginningAt: beginning)).claimed else {
                lock.unlock()
                return nil
            }
            return SQLiteSession(database: database, writes: writes, observer: name, lock: lock, beginning: saved)
        }

        /// Reads rows after a position.
        public func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage {
            try await database.read { db in
                let cursor = try Row.fetchCursor(
                    db.cachedStatement(
                        sql: """
                            SELECT id, name, version, at, body, scheduled FROM tidings_outbox WHERE id > ?
                            ORDER BY id LIMIT ?
                            """), arguments: [position, limit])
                var page = OutboxRowPage(rows: [], end: position)
                while let row = try cursor.next() {
                    page.end = row[0]
                    let name: String = row[1]
                    if names.contains(name) { page.rows.append(Self.row(row, name)) }
                }
                return page
            }
        }

        static func row(_ row: Row, _ name: String) -> OutboxRow {
            // A row that was scheduled keeps the number that its post returned.
            OutboxRow(
                id: row[5] ?? row[0], position: row[0], name: name, version: row[2], body: row[4], storedAt: row[3])
        }

        /// Reads the rows at some positions.
        public func rows(at positions: [Int64]) async throws -> [OutboxRow] {
            try await database.read { db in
                let statement = try db.cachedStatement(
                    sql: "SELECT id, name, version, at, body, scheduled FROM tidings_outbox WHERE id = ?")
                return try positions.compactMap { position in
                    try Row.fetchOne(statement, arguments: [position]).map { Self.row($0, $0[1]) }
                }
            }
        }

        package func append(_ post: OutboxPost, in db: Database, at time: Int64) throws -> Int64 {
            try db.cachedStatement(sql: "INSERT INTO tidings_outbox(name, version, body, at) VALUES(?, ?, ?, ?)")
                .execute(arguments: [post.name, post.version, post.body, time])
            return db.lastInsertedRowID
        }
    }

    extension NotificationOutbox where Store == SQLiteOutboxStore {
        /// Opens an outbox in a GRDB database, and creates its tables if they don't exist.
        ///
        /// - Parameters:
        ///   - database: The database.
        ///   - center: The center for committed notifications. Its monitors receive the events of durable observers.
        ///   - durability: The failures that commits survive. This also applies to your own commits on this connection.
        ///   - options: The options.
        /// - Throws: An SQLite error, or ``OutboxError/Code/unknownSchema``.
        public convenience init(
            in database: any DatabaseWriter, of center: any TypedNotificationCenter,
            durability: SQLiteOutboxStore.Durability = .full, options: OutboxOptions = OutboxOptions()
        ) async throws {
            try await self.init(SQLiteOutboxStore(database, durability: durability), of: center, options: options)
        }

        /// Stores a notification in your transaction, which commits it or rolls it back.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - db: The connection, in a transaction.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An ``OutboxError`` or an SQLite error, in which case nothing was stored.
        public func post<N: RemoteNotification>(
            _ notification: N, in db: Database, fileID: StaticString = #fileID, line: UInt = #line
        ) throws {
            try post(notification, encoded: try encode(notification), in: db, fileID: fileID, line: line)
        }

        /// Stores a notification that was encoded before the transaction.
        ///
        /// - Parameters:
        ///   - notification: The notification, for the observers of the center.
        ///   - post: The result of ``NotificationOutbox/encode(_:)``.
        ///   - db: The connection, in a transaction.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An SQLite error, in which case nothing was stored.
        public func post<N: RemoteNotification>(
            _ notification: N, encoded post: OutboxPost, in db: Database, fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws {
            let place = SourcePlace(fileID: fileID, line: line)
            try append(post, in: db) { _ in CenterAnnouncement(notification: notification, place: place, core: core) }
        }
    }
#endif
