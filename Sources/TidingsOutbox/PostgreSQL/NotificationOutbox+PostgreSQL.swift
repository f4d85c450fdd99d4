public import Tidings

extension NotificationOutbox where Store == PostgresOutboxStore {
    /// Opens an outbox in a database of PostgreSQL's, and makes its tables if they are not there.
    ///
    /// - Parameters:
    ///   - connector: Makes connections to the database.
    ///   - schema: The schema of the tables, which is made if it is missing; `nil` for the one that the search path finds.
    ///   - center: Where notifications are posted after the commit, and whose monitors know the durable observers.
    ///   - options: How the outbox works.
    /// - Throws: What the database says, or ``OutboxError/Code/unknownSchema``.
    public convenience init(
        in connector: any OutboxPostgresConnector, schema: String? = nil, of center: any TypedNotificationCenter,
        options: OutboxOptions = OutboxOptions()
    ) async throws {
        try await self.init(PostgresOutboxStore(connector, schema: schema), of: center, options: options)
    }

    /// Stores a notification in a transaction of yours: it is committed with it, or rolled back with it.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - transaction: The transaction.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: An ``OutboxError`` if it cannot be stored, or what the database says; then the transaction cannot be committed.
    public func post<N: RemoteNotification>(
        _ notification: N, in transaction: any OutboxPostgresTransaction, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        _ = try await append(notification, SourcePlace(fileID: fileID, line: line), in: transaction)
    }

    /// Stores a notification, as `post` does, and returns what one can wait with for durable observers.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - transaction: The transaction. Wait when it is committed.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The delivery.
    /// - Throws: An ``OutboxError`` if it cannot be stored, or what the database says; then the transaction cannot be committed.
    public func deliver<N: RemoteNotification>(
        _ notification: N, in transaction: any OutboxPostgresTransaction, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> StoredDelivery {
        let delivery = StoredDelivery(N.wireName, core)
        delivery.set(row: try await append(notification, SourcePlace(fileID: fileID, line: line), in: transaction))
        // No other row gets its number, also if the transaction is rolled back.
        delivery.confirm()
        return delivery
    }

    private func append<N: RemoteNotification>(
        _ notification: N, _ place: SourcePlace, in transaction: any OutboxPostgresTransaction
    ) async throws -> Int64 {
        let post = try encode(notification)
        let (id, part) = try await store.insert(post, in: transaction)
        let announcement = CenterAnnouncement(
            notification: notification, place: place, core: core)
        transaction.afterCommit { [weak core, store] in
            let isCommitted = part.map { part in
                CommittedPart(id: part) { [weak store] in await store?.isCommitted(part) ?? false }
            }
            core?.announce([CommittedPost(row: id, announcement: announcement, part: isCommitted)], last: nil)
            store.sequenceSoon(N.wireName)
        }
        return id
    }
}
