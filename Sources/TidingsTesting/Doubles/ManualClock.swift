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

    /// Moves the clock on, and wakes up the tasks whose time has come.
    ///
    /// - Parameter duration: How far.
    public func advance(by duration: Duration) {
        let awake = state.withLock { $0.advance(by: duration) }
        for continuation in awake { continuation.resume() }
    }

    /// Returns when at least so many tasks sleep, so that moving the clock on will wake them up.
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
                let (outcome, tests) = state.withLock { $0.sleep(id, until: deadline, continuation) }
                if let outcome { continuation.resume(with: outcome) }
                for test in tests { test.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
        }
    }
}

/// The state of a manual clock. Each step returns the continuations to resume when the lock is free.
struct ManualClockState {
    private(set) var now = ManualClock.Instant()
    private(set) var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var deadlines: [Int: ManualClock.Instant] = [:]
    private var cancelled: Set<Int> = []
    private var lastID = 0

    /// The tests that wait until so many tasks sleep.
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Moves on.
    ///
    /// - Returns: The tasks whose time has come, the earliest first.
    mutating func advance(by duration: Duration) -> [CheckedContinuation<Void, any Error>] {
        now = now.advanced(by: duration)
        let due = deadlines.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return due.compactMap { wake($0.key) }
    }

    /// Puts a task to sleep.
    ///
    /// - Returns: How the sleep has ended, if it has, and the tests that waited for one more sleeper.
    mutating func sleep(
        _ id: Int, until deadline: ManualClock.Instant, _ continuation: CheckedContinuation<Void, any Error>
    ) -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) {
        if cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
        if deadline <= now { return (.success(()), []) }
        sleepers[id] = continuation
        deadlines[id] = deadline
        let satisfied = waiting.filter { $0.count <= sleepers.count }
        waiting.removeAll { $0.count <= sleepers.count }
        return (nil, satisfied.map(\.continuation))
    }

    /// Ends a sleep, also one that is about to begin.
    ///
    /// - Returns: The task that slept.
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
