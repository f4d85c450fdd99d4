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

        /// Creates an instant that is the given time after the creation of the clock.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// Returns the instant that is a duration later than this one.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether an instant is before another.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var lastID = 0
    }

    private let state = AwaitedState(State())

    /// Creates a clock that is at zero.
    public init() {}

    /// The current instant of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// The number of sleeping tasks.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Advances the clock, and wakes up the tasks whose deadlines have been reached.
    ///
    /// - Parameter duration: The duration by which to advance.
    public func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
        }
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
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = (deadline, continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }
            sleeper?.resume(throwing: CancellationError())
        }
    }
}
