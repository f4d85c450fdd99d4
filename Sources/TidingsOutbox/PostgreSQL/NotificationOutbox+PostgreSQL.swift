extension NotificationOutbox where Store == PostgresOutboxStore {
    /// Opens an outbox in a PostgreSQL database, and creates its tables if they don't exist.
    ///
    /// - Parameters:
    ///   - connector: Opens connections to the database.
    ///   - schema: The schema of the tables, created if it doesn't exist, or `nil` for the one in the search path.
    ///   - center: The center for committed notifications. Its monitors receive the events of durable observers.
    ///   - options: The options.
    /// - Throws: An ``OutboxError``, or an error of the database.
    public convenience init(
        in connector: any OutboxPostgresConnector, schema: String? = nil, of center: any TypedNotificationCenter,
        options: OutboxOptions = OutboxOptions()
    ) async throws {
        try await self.init(PostgresOutboxStore(connector, schema: schema), of: center, options: options)
    }

    /// Stores a notification in your transaction, which commits it or rolls it back.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - transaction: The transaction.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: An ``OutboxError``, or an error of the database, after which the transaction can't be committed.
    public func post<N: RemoteNotification>(
        _ notification: N, in transaction: any OutboxPostgresTransaction, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let place = SourcePlace(fileID: fileID, line: line)
        _ = try await append(notification, try encode(notification), place, in: transaction)
    }

    /// Stores a notification like `post`, and returns a delivery with which you can wait for durable observers.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - transaction: The transaction. Wait for the durable observers only after the commit.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The delivery.
    /// - Throws: An ``OutboxError``, or an error of the database, after which the transaction can't be committed.
    public func deliver<N: RemoteNotification>(
        _ notification: N, in transaction: any OutboxPostgresTransaction, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> StoredDelivery {
        let post = try encode(notification)
        let delivery = StoredDelivery(post, core)
        let place = SourcePlace(fileID: fileID, line: line)
        delivery.set(row: try await append(notification, post, place, in: transaction))
        // The delivery can be confirmed before the commit, because no other row ever gets this number.
        delivery.confirm()
        return delivery
    }

    private func append<N: RemoteNotification>(
        _ notification: N, _ post: OutboxPost, _ place: SourcePlace, in transaction: any OutboxPostgresTransaction
    ) async throws -> Int64 {
        let (id, part) = try await store.insert(post, in: transaction)
        let announcement = CenterAnnouncement(notification: notification, place: place, core: core)
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
