#if GRDB
    public import GRDB

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension NotificationOutbox where Store == SQLiteOutboxStore {
        /// Schedules a notification as part of your transaction. When it is due, only durable observers receive it.
        ///
        /// The notification is ordered by the time at which it is due, not by the time of the post. If no program has
        /// the outbox open at that time, observers receive the notification as soon as a program opens the outbox.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - time: When the notification is due, by the clock of the machine; at once if the time is in the past.
        ///   - db: The connection, in a transaction.
        /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:in:)-(_,Database)`` removes it.
        /// - Throws: An ``OutboxError`` or an SQLite error, in which case nothing was stored.
        @discardableResult
        public func post<N: RemoteNotification>(_ notification: N, at time: Date, in db: Database) throws -> String {
            try schedule(notification, DueTime(secondsSince1970: time.timeIntervalSince1970), in: db)
        }

        /// Schedules a notification as part of your transaction. When it is due, only durable observers receive it.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - delay: The time after which the notification is due, by the clock of the machine.
        ///   - db: The connection, in a transaction.
        /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:in:)-(_,Database)`` removes it.
        /// - Throws: An ``OutboxError`` or an SQLite error, in which case nothing was stored.
        @discardableResult
        public func post<N: RemoteNotification>(_ notification: N, after delay: Duration, in db: Database) throws
            -> String
        {
            try schedule(notification, DueTime(after: delay), in: db)
        }

        private func schedule<N: RemoteNotification>(_ notification: N, _ time: DueTime, in db: Database) throws
            -> String
        {
            let (post, now) = (try encode(notification), core.clock.wall)
            let due = time.milliseconds(now: now)
            let isInTransaction = db.isInsideTransaction
            let row = try store.schedule(post, in: db, due: due, at: now)
            let delay = Duration.milliseconds(due - now)
            if isInTransaction {
                db.afterNextTransaction { [weak core] _ in core?.nextDue.add(delay) }
            } else {
                core.nextDue.add(delay)
            }
            return core.id(of: row)
        }

        /// Cancels a scheduled notification in your transaction, unless it has become due.
        ///
        /// - Parameters:
        ///   - id: The identity that `post` has returned.
        ///   - db: The connection, in a transaction.
        /// - Returns: True if the notification was still scheduled. In that case, the commit prevents its delivery.
        /// - Throws: An SQLite error.
        @discardableResult
        public func cancel(_ id: String, in db: Database) throws -> Bool {
            guard let row = core.row(of: id) else { return false }
            return try SQLiteOutboxStore.cancel(row, in: db)
        }
    }
#endif
