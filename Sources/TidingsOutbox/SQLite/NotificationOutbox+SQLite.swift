#if GRDB
    public import GRDB
    import Tidings

    extension NotificationOutbox where Store == SQLiteOutboxStore {
        /// Stores a notification, as `post` does, and returns what one can wait with for durable observers.
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
            let post = try encode(notification)
            let delivery = StoredDelivery(N.wireName, core)
            let place = SourcePlace(fileID: fileID, line: line)
            try append(post, in: db) { row in
                delivery.set(row: row)
                let announcement = CenterAnnouncement(notification: notification, place: place, core: core)
                return DeliveryAnnouncement(delivery: delivery, announcement: announcement)
            }
            return delivery
        }

        /// Stores a row, and has it announced when it is committed: at once where there is no transaction, as the row is one by itself.
        func append(_ post: OutboxPost, in db: Database, _ announcing: (Int64) -> any Announcement) throws {
            let isInTransaction = db.isInsideTransaction
            // Before the row, of which it is to hear.
            let transaction = store.commits.transaction(of: db) { [weak core] posts, last, isAll in
                core?.announce(posts, last: last, isAll: isAll)
            }
            let row = try store.append(post, in: db, at: core.clock.wall)
            let committed = CommittedPost(row: row, announcement: announcing(row))
            if isInTransaction { transaction.add(committed) } else { core.announce([committed], last: row) }
        }
    }

    /// Tells a delivery that it was committed: the number of a row that was not is given to another.
    private struct DeliveryAnnouncement: Announcement {
        weak let delivery: StoredDelivery?
        let announcement: any Announcement

        var name: String { announcement.name }
        var isWanted: Bool { delivery != nil || announcement.isWanted }

        func post(row: Int64) {
            delivery?.confirm()
            announcement.post(row: row)
        }
    }
#endif
