#if GRDB
    public import GRDB
    import Tidings

    extension NotificationOutbox where Store == SQLiteStore {
        /// Opens an outbox in a database of GRDB's, and makes its tables if they are not there.
        ///
        /// - Parameters:
        ///   - database: The database.
        ///   - center: Where notifications are posted after the commit, and whose monitors know the durable observers.
        ///   - durability: What a commit survives, also one of your own on this connection.
        ///   - options: How the outbox works.
        /// - Throws: What SQLite says, or ``OutboxError/Code/unknownSchema``.
        public convenience init(
            in database: any DatabaseWriter, of center: any TypedNotificationCenter,
            durability: SQLiteStore.Durability = .full, options: OutboxOptions = OutboxOptions()
        ) async throws {
            try await self.init(SQLiteStore(database, durability: durability), of: center, options: options)
        }

        /// Stores a notification in a transaction of yours: it is committed with it, or rolled back with it.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - db: The connection, in a transaction.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An ``OutboxError`` if it cannot be stored, or what SQLite says. Nothing has been stored then.
        public func post<N: RemoteNotification>(
            _ notification: N, in db: Database, fileID: StaticString = #fileID, line: UInt = #line
        ) throws {
            try post(notification, encoded: try encode(notification), in: db, fileID: fileID, line: line)
        }

        /// Stores a notification that was encoded before the transaction.
        ///
        /// - Parameters:
        ///   - notification: The notification, for the observers of the center.
        ///   - post: What ``NotificationOutbox/encode(_:)`` has made of it.
        ///   - db: The connection, in a transaction.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: What SQLite says. Nothing has been stored then.
        public func post<N: RemoteNotification>(
            _ notification: N, encoded post: EncodedPost, in db: Database, fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws {
            _ = try append(notification, post, SourcePlace(fileID: fileID, line: line), in: db)
        }

        /// Stores a notification, as ``post(_:in:fileID:line:)`` does, and returns what one can wait with for durable observers.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - db: The connection, in a transaction. Wait when it is committed.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The delivery.
        /// - Throws: An ``OutboxError`` if it cannot be stored, or what SQLite says. Nothing has been stored then.
        public func deliver<N: RemoteNotification>(
            _ notification: N, in db: Database, fileID: StaticString = #fileID, line: UInt = #line
        ) throws -> StoredDelivery {
            let delivery = StoredDelivery(N.wireName, core)
            let place = SourcePlace(fileID: fileID, line: line)
            delivery.set(row: try append(notification, try encode(notification), place, in: db))
            return delivery
        }

        private func append<N: RemoteNotification>(
            _ notification: N, _ post: EncodedPost, _ place: SourcePlace, in db: Database
        ) throws -> Int64 {
            try store.append(
                post, in: db, at: core.clock.wall(),
                CenterAnnouncement(notification: notification, place: place, core: core)
            ) { [weak core] posts, last in core?.announce(posts, last: last) }
        }
    }
#endif
