import Tidings

/// A clock that a test can advance past a long time limit, while short waits take their usual time.
final class JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private let beginning = ContinuousClock.now
    private let jumped = Lock(Duration.zero)

    var now: Instant { Instant(offset: beginning.duration(to: .now) + jumped.withLock { $0 }) }
    var minimumResolution: Duration { .zero }

    func jump(by duration: Duration) { jumped.withLock { $0 += duration } }

    /// Sleeps in short steps, because the clock may jump in the meantime.
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while true {
            let left = now.duration(to: deadline)
            if left <= .zero { return try Task.checkCancellation() }
            try await Task.sleep(for: min(left, .milliseconds(20)))
        }
    }
}
