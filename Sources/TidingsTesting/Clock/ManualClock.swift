import Tidings

/// A clock that stands still until a test moves it on.
///
/// ```swift
/// let clock = ManualClock()
/// let model = Model(clock: clock)
/// model.edit()
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(5))
/// ```
public final class ManualClock: Clock {
    /// A moment of a manual clock.
    public struct Instant: InstantProtocol {
        /// How long after the making of the clock.
        public var offset: Duration

        /// A moment some time after the making of the clock.
        ///
        /// - Parameter offset: The time.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// A moment some time after this one.
        ///
        /// - Parameter duration: The time.
        /// - Returns: The moment.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How long it is from this moment to another.
        ///
        /// - Parameter other: The other moment.
        /// - Returns: The time.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a moment is before another.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private let state = Lock(ManualClockState())

    /// Makes a clock that stands at zero.
    public init() {}

    /// The moment at which the clock stands.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: it is exact.
    public var minimumResolution: Duration { .zero }

    /// How many tasks sleep.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock on, and wakes up those whose time has come.
    ///
    /// - Parameter duration: How far.
    public func advance(by duration: Duration) {
        let awake = state.withLock { $0.advance(by: duration) }
        for continuation in awake { continuation.resume() }
    }

    /// Returns when at least so many tasks sleep: what a test started has got so far that moving the clock on will wake it up.
    ///
    /// - Parameter count: How many.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isEnough = state.withLock { state in
                if state.sleepers.count < count { state.waiting.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isEnough { continuation.resume() }
        }
    }

    /// Sleeps until the clock is moved on to a moment.
    ///
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: Without effect.
    /// - Throws: A `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (outcome, watchers) = state.withLock { $0.sleep(id, until: deadline, continuation) }
                if let outcome { continuation.resume(with: outcome) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
        }
    }
}
