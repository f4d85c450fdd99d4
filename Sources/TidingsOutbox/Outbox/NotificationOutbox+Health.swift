public import Tidings

extension NotificationOutbox {
    /// Reports whether the store works, and whether failures block durable observers of this program.
    ///
    /// For an observer that this program runs, it is also a problem if the current notification was stored longer ago
    /// than the threshold: the backlog counts by its age, however short it is. Problems that the center knows about
    /// durable observers aren't repeated: a call that hangs, and the number of queued notifications, are part of the
    /// center's `health`.
    ///
    /// ```swift
    /// let health = center.health() + outbox.health()
    /// ```
    ///
    /// The problems here resolve on their own, so `NotificationHealth.isAlive` stays true. Dead letters aren't
    /// reported, because they block nothing.
    ///
    /// - Parameter thresholds: The threshold for waiting notifications is `call`. The others are the center's.
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
                problems.append(
                    .init(
                        .longWait,
                        "the durable observer \(status.name) is behind by \(age), up to \(status.backlog) notifications wait"
                    ))
            }
            for status in statuses {
                guard let duration = status.heldFor, duration > limit else { continue }
                let error = status.lastError.map { ": \($0)" } ?? ""
                problems.append(
                    .init(
                        .longWait,
                        "the durable observer \(status.name) has failed for \(duration), \(status.held) wait\(error)"))
            }
        }
        return NotificationHealth(problems)
    }
}
