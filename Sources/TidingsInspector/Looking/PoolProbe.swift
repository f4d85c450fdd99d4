import Tidings

/// Detects a blocked cooperative pool: each inspection starts a task, and the pool is blocked if the task hasn't
/// started for a long time.
///
/// A server's thread performs the inspections, so they continue while no task runs. The time is the system's, whatever
/// the clock of the inspector is, because the pool doesn't know that clock.
final class PoolProbe: Sendable {
    /// The time for which a task has to wait.
    private static let patience = Duration.seconds(2)

    private let asked = Lock<ContinuousClock.Instant?>(nil)

    /// Starts another task, unless one is already pending.
    ///
    /// - Returns: The number of seconds for which the pool has been blocked, or `nil` if it isn't blocked.
    func ask() -> Double? {
        let now = ContinuousClock.now
        let before = asked.withLock { asked in
            let before = asked
            asked = before ?? now
            return before
        }
        guard let before else {
            // The task has the default priority, because on Linux each priority has its own threads.
            Task.detached { [weak self] in self?.asked.withLock { $0 = nil } }
            return nil
        }
        let duration = before.duration(to: now)
        return duration >= Self.patience ? duration.inSeconds : nil
    }
}
