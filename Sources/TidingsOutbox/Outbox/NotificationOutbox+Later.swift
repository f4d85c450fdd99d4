extension NotificationOutbox {
    /// Returns the identity of a row: the ``StoredNotification/id`` of its notification.
    public func id(of row: OutboxRow) -> String { core.id(of: row.id) }

    /// Lists the scheduled notifications, in the order in which they are due.
    ///
    /// - Parameter limit: The maximum number of notifications.
    /// - Returns: The notifications.
    /// - Throws: An error of the database.
    public func scheduledNotifications(limit: Int = 100) async throws -> [OutboxScheduledRow] {
        try await store.scheduled(limit: max(0, limit))
    }

    /// Makes a scheduled notification due now.
    ///
    /// - Parameter id: The identity that `post` has returned.
    /// - Returns: Whether the notification was still scheduled.
    /// - Throws: An error of the database.
    @discardableResult
    public func makeDue(_ id: String) async throws -> Bool {
        guard let row = core.row(of: id) else { return false }
        defer { core.nextDue.add(.zero) }
        return try await store.makeDue(row, at: core.clock.wall)
    }

    /// Cancels a scheduled notification, unless it has become due.
    ///
    /// ```swift
    /// let reminder = try await database.write { try outbox.post(PaymentDue(order: 7), after: .seconds(86_400), in: $0) }
    /// let wasInTime = try await outbox.cancel(reminder)
    /// ```
    ///
    /// - Parameter id: The identity that `post` has returned.
    /// - Returns: Whether the notification was still scheduled. If so, no observer receives it.
    /// - Throws: An error of the database.
    @discardableResult
    public func cancel(_ id: String) async throws -> Bool {
        guard let row = core.row(of: id) else { return false }
        return try await store.cancel(row)
    }
}

extension OutboxCore {
    func id(of row: Int64) -> String { "\(identity)-\(row)" }

    func row(of id: String) -> Int64? {
        id.hasPrefix("\(identity)-") ? Int64(id.dropFirst(identity.count + 1)) : nil
    }
}
