import Tidings

extension NotificationOutbox<InMemoryOutboxStore> {
    /// Stores a notification, as a committed transaction.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: ``OutboxError``, or ``InMemoryOutboxStore/failure``.
    public func post<N: RemoteNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) throws {
        _ = try append(notification, try encode(notification), SourcePlace(fileID: fileID, line: line))
    }

    /// Stores a notification like `post`, and returns a delivery with which you can wait for durable observers.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The delivery.
    /// - Throws: ``OutboxError``, or ``InMemoryOutboxStore/failure``.
    public func deliver<N: RemoteNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> StoredDelivery {
        // The delivery is created before the row is stored, because the row may be handled at once.
        let post = try encode(notification)
        let delivery = StoredDelivery(post, core)
        delivery.set(row: try append(notification, post, SourcePlace(fileID: fileID, line: line)))
        delivery.confirm()
        return delivery
    }

    private func append<N: RemoteNotification>(
        _ notification: N, _ post: OutboxPost, _ place: SourcePlace
    ) throws -> Int64 {
        let id = try store.append([post], at: core.clock.wall)[0]
        let announcement = CenterAnnouncement(
            notification: notification, place: place, core: core)
        core.announce([CommittedPost(row: id, announcement: announcement)], last: id)
        return id
    }
}
