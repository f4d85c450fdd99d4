#if GRDB
    public import GRDB
    import Tidings

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension NotificationOutbox where Store == SQLiteOutboxStore {
        /// Stores a notification for later in your transaction. Only durable observers receive it, when it is due.
        ///
        /// It is in the order of notifications as if it were posted at that time. A program that has the database open
        /// then has to be running. Otherwise it is received as soon as one runs.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - time: The time at which it is due, by the clock of the machine. A notification whose time has passed is
        ///     due at once.
        ///   - db: The connection, in a transaction.
        /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:in:)-(_,Database)`` removes it.
        /// - Throws: An ``OutboxError`` if it can't be stored, or an SQLite error. Nothing has been stored in that
        ///   case.
        @discardableResult
        public func post<N: RemoteNotification>(_ notification: N, at time: Date, in db: Database) throws -> String {
            try schedule(notification, DueTime(time), in: db)
        }

        /// Stores a notification for later in your transaction. Only durable observers receive it, when it is due.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - delay: The time after which it is due, by the clock of the machine.
        ///   - db: The connection, in a transaction.
        /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:in:)-(_,Database)`` removes it.
        /// - Throws: An ``OutboxError`` if it can't be stored, or an SQLite error. Nothing has been stored in that
        ///   case.
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

        /// Removes a notification that is stored for later, in your transaction, unless it has become due.
        ///
        /// - Parameters:
        ///   - id: The identity that the post has returned.
        ///   - db: The connection, in a transaction.
        /// - Returns: Whether it was still scheduled. In that case no observer receives it, if the transaction is
        ///   committed.
        /// - Throws: An SQLite error.
        @discardableResult
        public func cancel(_ id: String, in db: Database) throws -> Bool {
            guard let row = core.row(of: id) else { return false }
            return try SQLiteOutboxStore.cancel(row, in: db)
        }
    }
#endif
