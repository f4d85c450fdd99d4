import Tidings

/// Finds out whether the cooperative pool takes work: a task is started at each look, and one that has not begun for long says no.
///
/// Looks are made by the thread of a server, so that they go on while no task does. The time is that of the system, whatever the clock of the
/// inspector is, as the pool does not know that one.
final class PoolProbe: Sendable {
    /// For how long a task has to wait.
    private static let patience = Duration.seconds(2)

    private let asked = Lock<ContinuousClock.Instant?>(nil)

    /// Asks again, unless an answer is due.
    ///
    /// - Returns: For how long the pool has taken no work, in seconds, if that is long; `nil` if it is not.
    func ask() -> Double? {
        let now = ContinuousClock.now
        let before = asked.withLock { asked in
            let before = asked
            asked = before ?? now
            return before
        }
        guard let before else {
            // At the priority that tasks have unless they say otherwise: on Linux each priority has threads of its own.
            Task.detached { [weak self] in self?.asked.withLock { $0 = nil } }
            return nil
        }
        let duration = before.duration(to: now)
        return duration >= Self.patience ? duration.inSeconds : nil
    }
}
