import Tidings

/// Detects that the cooperative pool is blocked: the task of an earlier inspection hasn't started. The server inspects
/// on its own thread, outside the pool. The pool runs in real time, so the probe uses the system's clock.
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
            // The task has the default priority, because on Linux each priority has its own threads.
            Task.detached { [weak self] in self?.asked.withLock { $0 = nil } }
            return nil
        }
        let duration = before.duration(to: now)
        return duration >= Self.patience ? duration.inSeconds : nil
    }
}
