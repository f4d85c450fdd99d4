extension NotificationOutbox {
    /// Lists the dead letters of a durable observer, oldest first.
    ///
    /// - Parameters:
    ///   - observer: The name of the durable observer.
    ///   - limit: The maximum number of dead letters.
    /// - Returns: The dead letters.
    /// - Throws: An error of the database.
    public func deadLetters(for observer: String, limit: Int = 100) async throws -> [OutboxDeadLetter] {
        try await store.deadLetters(for: observer, limit: max(0, limit))
    }

    /// Redelivers dead letters. By then, the observer may have received newer notifications.
    ///
    /// - Parameters:
    ///   - observer: The name of the durable observer.
    ///   - positions: The ``OutboxRow/position`` of each dead letter, or `nil` for all of them.
    /// - Returns: The number of redelivered dead letters.
    /// - Throws: An error of the database.
    @discardableResult
    public func redrive(for observer: String, positions: [Int64]? = nil) async throws -> Int {
        defer { core.wakeForHeld(observer) }
        return try await store.redrive(for: observer, positions: positions)
    }

    /// Drops dead letters, retried notifications, or notifications that wait behind a retried one.
    ///
    /// A call that is handling a dropped notification continues, but its failure creates no dead letter. If another
    /// program runs the observer, the drop takes effect within ``OutboxOptions/pollInterval``.
    ///
    /// ```swift
    /// let poison = try await outbox.deadLetters(for: "mailer", limit: 1)
    /// try await outbox.drop(for: "mailer", positions: poison.map(\.row.position))
    /// ```
    ///
    /// - Parameters:
    ///   - observer: The name of the durable observer.
    ///   - positions: The ``OutboxRow/position`` of each notification, or `nil` for all dead letters and nothing else.
    /// - Returns: The number of dropped notifications. Notifications that the observer hasn't reached aren't dropped.
    /// - Throws: An error of the database.
    @discardableResult
    public func drop(for observer: String, positions: [Int64]?) async throws -> Int {
        defer { core.wakeForHeld(observer) }
        return try await store.drop(for: observer, positions: positions)
    }

    /// Lists a durable observer's unhandled notifications, without dead letters. The first group contains notifications
    /// that are retried, or that wait behind a retried notification. The second group contains notifications that the
    /// observer hasn't reached. Both groups begin with the oldest notification.
    ///
    /// Only a program that registered the observer lists the second group: the table doesn't contain the observed type.
    /// If another program runs some of the observer's partitions, the second group may contain notifications that these
    /// partitions have already handled.
    ///
    /// - Parameters:
    ///   - observer: The name of the durable observer.
    ///   - limit: The maximum number of notifications.
    /// - Returns: The notifications.
    /// - Throws: An error of the database.
    public func waitingNotifications(for observer: String, limit: Int = 100) async throws -> [OutboxWaitingRow] {
        let (held, later) = try await core.waiting(for: observer, limit: limit)
        return held + later
    }

    /// The numbers of entries that this outbox has removed in the background since it was opened.
    public var removals: OutboxRemovals { core.removals.withLock { $0 } }
}

/// The numbers of entries that an outbox has removed in the background since it was opened.
public struct OutboxRemovals: Hashable, Sendable {
    /// The number of notifications that no durable observer needed any longer.
    public var notifications = 0

    /// The number of dead letters that were older than ``OutboxOptions/deadLetterRetention``.
    public var deadLetters = 0

    /// The number of inbox identities that were older than ``OutboxOptions/inboxRetention``.
    public var inboxEntries = 0
}

extension OutboxCore {
    func waiting(for observer: String, limit: Int) async throws -> (held: [OutboxWaitingRow], later: [OutboxWaitingRow])
    {
        // The cursors are read first. A row at or before the saved cursor of its partition is handled, or is in `held`.
        // Partitions may differ in size while they are divided, so each smallest possible partition has an entry.
        var cursors = [Int64](repeating: 0, count: Partitions.limit)
        for runner in runners where runner.observer == observer {
            guard let (partitions, cursor) = runner.status.saved else { continue }
            for part in stride(from: runner.partition, to: cursors.count, by: partitions) {
                cursors[part] = max(cursors[part], cursor)
            }
        }
        let held = try await store.waiting(for: observer, limit: max(0, limit))
        guard let runner = state.withLock({ $0.runners[observer] }) else { return (held, []) }
        guard let record = try await store.observers().first(where: { $0.name == observer }) else { return (held, []) }
        let (known, newest) = (Set(held.map(\.row.position)), cursors.max() ?? 0)
        var later: [OutboxWaitingRow] = []
        var end = record.cursor
        while held.count + later.count < limit {
            let page = try await store.page(
                after: end, limit: max(limit, options.pageSize), named: runner.consumer.names)
            if page.end == end { break }
            end = page.end
            for row in page.rows where !known.contains(row.position) && held.count + later.count < limit {
                // Rows that no partition has passed aren't prepared, because preparing a row runs user code.
                if row.position <= newest {
                    let part = runner.consumer.prepare(row).index(among: cursors.count)
                    if row.position <= part.map({ cursors[$0] }) ?? newest { continue }
                }
                later.append(OutboxWaitingRow(row: row))
            }
        }
        return (held, later)
    }
}
