import Tidings

/// A clock that only advances when a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let model = Model(clock: clock)
/// model.edit()
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(5))
/// ```
public final class ManualClock: Clock {
    /// An instant of a manual clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// Creates an instant at a time since the clock was created.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// Returns the instant that is a duration later than this one.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether an instant is before another.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private let state = AwaitedState(ManualClockState())

    /// Creates a clock that is at zero.
    public init() {}

    /// The current instant of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// The number of sleeping tasks.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Advances the clock, and wakes up the tasks whose deadlines have passed.
    ///
    /// - Parameter duration: The duration by which to advance.
    public func advance(by duration: Duration) {
        let awake = state.withLock { $0.advance(by: duration) }
        for continuation in awake { continuation.resume() }
    }

    /// Returns when at least the given number of tasks are sleeping, or when the calling task is cancelled.
    ///
    /// - Parameter count: The number of tasks.
    public func waitForSleepers(_ count: Int = 1) async { await state.wait { $0.sleepers.count >= count } }

    /// Sleeps until the clock is advanced to an instant.
    ///
    /// - Parameters:
    ///   - deadline: The instant.
    ///   - tolerance: Has no effect.
    /// - Throws: A `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { $0.sleep(id, until: deadline, continuation) }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
        }
    }
}

/// Each transition returns the continuations to resume after the unlock.
private struct ManualClockState {
    private(set) var now = ManualClock.Instant()
    private(set) var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var deadlines: [Int: ManualClock.Instant] = [:]
    private var cancelled: Set<Int> = []
    private var lastID = 0

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Returns the tasks whose deadlines have passed, the earliest first.
    mutating func advance(by duration: Duration) -> [CheckedContinuation<Void, any Error>] {
        now = now.advanced(by: duration)
        let due = deadlines.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return due.compactMap { wake($0.key) }
    }

    /// Returns the result of the sleep, if it has already ended.
    mutating func sleep(
        _ id: Int, until deadline: ManualClock.Instant, _ continuation: CheckedContinuation<Void, any Error>
    ) -> Result<Void, any Error>? {
        if cancelled.remove(id) != nil { return .failure(CancellationError()) }
        if deadline <= now { return .success(()) }
        sleepers[id] = continuation
        deadlines[id] = deadline
        return nil
    }

    /// Ends a sleep, even one that is about to begin. Returns the sleeping task.
    mutating func cancel(_ id: Int) -> CheckedContinuation<Void, any Error>? {
        let sleeper = wake(id)
        if sleeper == nil { cancelled.insert(id) }
        return sleeper
    }

    private mutating func wake(_ id: Int) -> CheckedContinuation<Void, any Error>? {
        deadlines[id] = nil
        return sleepers.removeValue(forKey: id)
    }
}
