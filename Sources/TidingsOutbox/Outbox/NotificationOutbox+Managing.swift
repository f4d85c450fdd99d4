extension NotificationOutbox: StoredNotificationManager {
    /// Lists the durable observers, and the waiting, scheduled and dead-letter notifications.
    ///
    /// - Parameter limit: The maximum number of notifications for each kind and each observer.
    /// - Returns: The report.
    /// - Throws: An error of the database.
    public func storedNotifications(limit: Int) async throws -> StoredReport {
        let here = Set(runningObservers.lazy.filter { $0.state == .running }.map(\.name))
        var report = StoredReport(observers: [], entries: [])
        for record in try await registeredObservers() {
            report.observers.append(
                .init(
                    name: record.name, isRunningHere: here.contains(record.name), backlog: record.backlog,
                    held: record.held, deadLetters: record.deadLetters, oldest: record.oldest))
            if record.deadLetters > 0 {
                for letter in try await deadLetters(for: record.name, limit: limit) {
                    report.entries.append(
                        .init(
                            kind: .deadLetter, observer: record.name, id: id(of: letter.row),
                            notification: letter.row.name, attempts: letter.attempts, error: letter.error,
                            storedAt: letter.row.storedAt))
                }
            }
            guard record.held + record.backlog > 0 else { continue }
            let (held, later) = try await core.waiting(for: record.name, limit: limit)
            for (rows, isHeld) in [(held, true), (later, false)] {
                report.entries += rows.map { waiting in
                    .init(
                        kind: .waiting, observer: record.name, id: id(of: waiting.row), notification: waiting.row.name,
                        attempts: waiting.attempts, error: waiting.error, storedAt: waiting.row.storedAt,
                        due: waiting.due == 0 ? nil : waiting.due, isHeld: isHeld)
                }
            }
        }
        for scheduled in try await scheduledNotifications(limit: limit) {
            report.entries.append(
                .init(
                    kind: .scheduled, observer: nil, id: id(of: scheduled.row), notification: scheduled.row.name,
                    storedAt: scheduled.row.storedAt, due: scheduled.due))
        }
        return report
    }

    /// Redelivers or drops stored notifications.
    ///
    /// - Parameters:
    ///   - action: The action. A waiting notification can only be dropped, and only if its `Entry.isHeld` is true.
    ///   - kind: The kind of the notifications.
    ///   - observer: The observer, or `nil` for scheduled notifications.
    ///   - id: The identity of a notification; `nil` for all dead letters of the observer.
    /// - Returns: The number of changed notifications.
    /// - Throws: An error of the database.
    public func perform(
        _ action: StoredReport.Action, on kind: StoredReport.Kind, of observer: String?, id: String?
    ) async throws -> Int {
        switch (kind, observer, id) {
        case (.scheduled, _, let id?): return try await (action == .redrive ? makeDue(id) : cancel(id)) ? 1 : 0
        case (.deadLetter, let observer?, nil): return try await change(observer, nil)
        case (.deadLetter, let observer?, let id?):
            let letters = try await deadLetters(for: observer, limit: .max)
            return try await change(observer, letters.map(\.row).filter { self.id(of: $0) == id })
        case (.waiting, let observer?, let id?) where action == .drop:
            let held = try await store.waiting(for: observer, limit: .max)
            return try await change(observer, held.map(\.row).filter { self.id(of: $0) == id })
        default: return 0
        }
        func change(_ observer: String, _ rows: [OutboxRow]?) async throws -> Int {
            if rows?.isEmpty == true { return 0 }
            let positions = rows?.map(\.position)
            return switch action {
            case .redrive: try await redrive(for: observer, positions: positions)
            case .drop: try await drop(for: observer, positions: positions)
            }
        }
    }
}
