public import Tidings

extension NotificationOutbox {
    /// Whether the store does what it is asked to, and no durable observer of this program is held up by a failure.
    ///
    /// An observer that this program runs is also a problem if the notification that it is at was stored longer ago than the threshold: the
    /// backlog counts by its age, however short it is. What the center knows of durable observers is not reported twice: a call that hangs,
    /// and how many notifications wait, are part of the center's `health`.
    ///
    /// ```swift
    /// let health = center.health() + outbox.health()
    /// ```
    ///
    /// What is told here goes on by itself, so it is `NotificationHealth.isAlive`. What is buried is not told: it holds up nothing.
    ///
    /// - Parameter thresholds: For how long notifications may wait, by `call`; the others are the center's.
    /// - Returns: What is not as it should be.
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
