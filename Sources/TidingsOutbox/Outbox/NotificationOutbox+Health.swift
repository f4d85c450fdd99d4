extension NotificationOutbox {
    /// Reports whether the store works, and whether durable observers that this program runs are blocked or behind.
    ///
    /// An observer is behind if its current notification was stored longer ago than the threshold. The `health` of the
    /// center reports the other problems of durable observers: calls that hang, and the number of queued notifications.
    ///
    /// ```swift
    /// let health = center.health() + outbox.health()
    /// ```
    ///
    /// No problem of an outbox needs a restart, so `NotificationHealth.isAlive` is true. Dead letters aren't problems.
    ///
    /// - Parameter thresholds: Only `call` is used, for the age of a notification and for the time for which an
    ///   observer has been failing. The other thresholds apply to the `health` of the center.
    /// - Returns: The problems.
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        let statuses = runningObservers
        var problems: [NotificationHealth.Problem] = []
        let storeErrors = statuses.compactMap { status in
            if case .storeFails(let words) = status.state { words } else { nil }
        }
        if let words = core.storeError ?? storeErrors.first {
            problems.append(.init(.failingStore, "the store of the outbox fails: \(words)"))
        }
        if let limit = thresholds.call {
            for status in statuses where status.heldFor == nil {
                guard let age = status.behind, age > limit else { continue }
                let words = "is behind by \(age), and up to \(status.backlog.waitingNotifications)"
                problems.append(.init(.longWait, "the durable observer \(status.name) \(words)"))
            }
            for status in statuses {
                guard let duration = status.heldFor, duration > limit else { continue }
                let words =
                    "has failed for \(duration) (waiting: \(status.held))" + (status.lastError.map { ": \($0)" } ?? "")
                problems.append(.init(.longWait, "the durable observer \(status.name) \(words)"))
            }
        }
        return NotificationHealth(problems)
    }
}
