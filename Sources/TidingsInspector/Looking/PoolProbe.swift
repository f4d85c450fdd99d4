import Tidings

/// Detects a blocked cooperative thread pool. The pool is blocked if a task hasn't started within `patience` after an
/// inspection created it. The probe uses the system's clock, because the inspector's clock may be a manual clock.
final class PoolProbe: Sendable {
    private static let patience = Duration.seconds(2)

    private let asked = Lock<ContinuousClock.Instant?>(nil)

    func ask() -> Double? {
        let now = ContinuousClock.now
        let before = asked.withLock { asked in
            let before = asked
            asked = before ?? now
            return before
        }
        guard let before else {
            // On Linux each priority has its own threads. This task tests the threads of the default priority.
            Task.detached { [weak self] in self?.asked.withLock { $0 = nil } }
            return nil
        }
        let duration = before.duration(to: now)
        return duration >= Self.patience ? duration.inSeconds : nil
    }
}
