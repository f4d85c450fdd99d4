import Tidings

extension NotificationOutbox<MemoryStore> {
    /// Stores a notification, as a transaction that is committed.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: ``OutboxError``, or ``MemoryStore/failure``.
    public func post<N: RemoteNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) throws {
        let post = try encode(notification)
        let id = try store.append([post], at: core.clock.wall())[0]
        let announcement = CenterAnnouncement(
            notification: notification, place: SourcePlace(fileID: fileID, line: line), core: core)
        core.announce([CommittedPost(row: id, announcement: announcement)], last: id)
    }
}
