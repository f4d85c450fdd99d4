#if GRDB
    public import GRDB

    extension NotificationOutbox where Store == SQLiteOutboxStore {
        /// Stores a notification like `post`, and returns a delivery with which you can wait for durable observers.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - db: The connection, in a transaction. Wait for the durable observers only after the commit.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The delivery.
        /// - Throws: An ``OutboxError`` or an SQLite error, in which case nothing was stored.
        public func deliver<N: RemoteNotification>(
            _ notification: N, in db: Database, fileID: StaticString = #fileID, line: UInt = #line
        ) throws -> StoredDelivery {
            let post = try encode(notification)
            let delivery = StoredDelivery(post, core)
            let place = SourcePlace(fileID: fileID, line: line)
            try append(post, in: db) { row in
                delivery.set(row: row)
                let announcement = CenterAnnouncement(notification: notification, place: place, core: core)
                return DeliveryAnnouncement(delivery: delivery, announcement: announcement)
            }
            return delivery
        }

        func append(_ post: OutboxPost, in db: Database, _ announcing: (Int64) -> any Announcement) throws {
            // Outside a transaction, the insertion would commit, and be announced, before its post is added.
            guard db.isInsideTransaction else {
                return try db.inTransaction {
                    try append(post, in: db, announcing)
                    return .commit
                }
            }
            // `transaction(of:)` comes first, because it adds an observer, to which GRDB reports only later insertions.
            let transaction = store.commits.transaction(of: db) { [weak core] posts, last, isAll in
                core?.announce(posts, last: last, isAll: isAll)
            }
            let time = core.clock.wall
            let row = try store.append(post, in: db, at: time)
            transaction.add(PendingPost(row: row, post: post, time: time, announcement: announcing(row)))
        }
    }

    /// Confirms a delivery only after the commit, because after a rollback another row may get the same number.
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
