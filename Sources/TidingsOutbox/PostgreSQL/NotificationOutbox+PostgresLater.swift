#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension NotificationOutbox where Store == PostgresOutboxStore {
    /// Schedules a notification as part of your transaction. When it is due, only durable observers receive it.
    ///
    /// The notification is ordered by the time at which it is due, not by the time of the post. If no program has the
    /// outbox open at that time, observers receive the notification as soon as a program opens the outbox.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - time: When the notification is due, by the clock of the database; at once if the time is in the past.
    ///   - transaction: The transaction.
    /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:in:)-(_,OutboxPostgresTransaction)`` removes it.
    /// - Throws: An ``OutboxError``, or an error of the database, after which the transaction can't be committed.
    @discardableResult
    public func post<N: RemoteNotification>(
        _ notification: N, at time: Date, in transaction: any OutboxPostgresTransaction
    ) async throws -> String {
        try await schedule(notification, DueTime(secondsSince1970: time.timeIntervalSince1970), in: transaction)
    }

    /// Schedules a notification as part of your transaction. When it is due, only durable observers receive it.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - delay: The time after which the notification is due, by the clock of the database.
    ///   - transaction: The transaction.
    /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:in:)-(_,OutboxPostgresTransaction)`` removes it.
    /// - Throws: An ``OutboxError``, or an error of the database, after which the transaction can't be committed.
    @discardableResult
    public func post<N: RemoteNotification>(
        _ notification: N, after delay: Duration, in transaction: any OutboxPostgresTransaction
    ) async throws -> String {
        try await schedule(notification, DueTime(after: delay), in: transaction)
    }

    private func schedule<N: RemoteNotification>(
        _ notification: N, _ time: DueTime, in transaction: any OutboxPostgresTransaction
    ) async throws -> String {
        let (row, delay) = try await store.schedule(try encode(notification), time, in: transaction)
        transaction.afterCommit { [weak core] in core?.nextDue.add(delay) }
        return core.id(of: row)
    }

    /// Cancels a scheduled notification in your transaction, unless it has become due.
    ///
    /// - Parameters:
    ///   - id: The identity that `post` has returned.
    ///   - transaction: The transaction.
    /// - Returns: True if the notification was still scheduled. In that case, the commit prevents its delivery.
    /// - Throws: An error of the database, after which the transaction can't be committed.
    @discardableResult
    public func cancel(_ id: String, in transaction: any OutboxPostgresTransaction) async throws -> Bool {
        guard let row = core.row(of: id) else { return false }
        return try await !transaction.run(store.tables.cancel, ["\(row)"]).isEmpty
    }
}
