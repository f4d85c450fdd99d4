#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension NotificationOutbox<InMemoryOutboxStore> {
    /// Stores a notification. There is no transaction, so the notification counts as committed at once.
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
        // The delivery is created before the row, because an observer may handle the row at once.
        let post = try encode(notification)
        let delivery = StoredDelivery(post, core)
        delivery.set(row: try append(notification, post, SourcePlace(fileID: fileID, line: line)))
        delivery.confirm()
        return delivery
    }

    /// Schedules a notification. Only durable observers receive it, when it is due.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - time: The time at which the notification is due. If it is in the past, the notification is due at once.
    /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:)`` removes it.
    /// - Throws: ``OutboxError``, or ``InMemoryOutboxStore/failure``.
    @discardableResult
    public func post<N: RemoteNotification>(_ notification: N, at time: Date) throws -> String {
        try schedule(notification, DueTime(secondsSince1970: time.timeIntervalSince1970))
    }

    /// Schedules a notification. Only durable observers receive it, when it is due.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - delay: The time after which the notification is due.
    /// - Returns: The identity of the notification, with which ``NotificationOutbox/cancel(_:)`` removes it.
    /// - Throws: ``OutboxError``, or ``InMemoryOutboxStore/failure``.
    @discardableResult
    public func post<N: RemoteNotification>(_ notification: N, after delay: Duration) throws -> String {
        try schedule(notification, DueTime(after: delay))
    }

    private func schedule<N: RemoteNotification>(_ notification: N, _ time: DueTime) throws -> String {
        let (post, now) = (try encode(notification), core.clock.wall)
        let due = time.milliseconds(now: now)
        let row = try store.schedule(post, due: due, at: now)
        core.nextDue.add(.milliseconds(due - now))
        return core.id(of: row)
    }

    private func append<N: RemoteNotification>(
        _ notification: N, _ post: OutboxPost, _ place: SourcePlace
    ) throws -> Int64 {
        let id = try store.append([post], at: core.clock.wall)[0]
        let announcement = CenterAnnouncement(notification: notification, place: place, core: core)
        core.announce([CommittedPost(row: id, announcement: announcement)], last: id)
        return id
    }
}
