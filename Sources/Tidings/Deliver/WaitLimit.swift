import TidingsEngine

/// The time after which a wait is given up.
///
/// All waits whose limit is measured by the same clock of the standard library share one task that sleeps. With another clock, which a
/// test may move on by hand, each wait has a task of its own.
struct WaitLimit: Sendable {
    private enum Timer: Sendable {
        case continuous(DeadlineID)
        case suspending(DeadlineID)
        case task(Task<Void, Never>)
        case none
    }

    /// Whether the wait has ended, or the time is over: whichever comes first decides it.
    private final class Decision: Sendable {
        private let isMade = AtomicByte(false)

        /// Decides, unless that was done.
        func make() -> Bool { !isMade.exchange(true, ordering: .acquiringAndReleasing) }
    }

    private static let continuous = DeadlineTimer(ContinuousClock())
    private static let suspending = DeadlineTimer(SuspendingClock())

    private let timer: Timer
    private let decision: Decision

    /// Begins to measure the time.
    ///
    /// - Parameters:
    ///   - limit: How long the wait lasts at most.
    ///   - clock: The clock that measures the time.
    ///   - whenOver: Called when the time is over, unless the wait has ended before. It must be short: others are called after it.
    init(_ limit: Duration, _ clock: any Clock<Duration>, whenOver: @escaping @Sendable () -> Void) {
        func begin<C: Clock<Duration>>(_ clock: C) -> WaitLimit {
            WaitLimit(limit, clock, whenOver) { try await clock.sleep(for: limit) }
        }
        self = begin(clock)
    }

    /// Begins to measure the time until a moment.
    ///
    /// - Parameters:
    ///   - instant: The moment.
    ///   - clock: The clock that measures the time.
    ///   - whenOver: Called when the moment has come, unless the wait has ended before. It must be short: others are called after it.
    init<C: Clock<Duration>>(until instant: C.Instant, _ clock: C, whenOver: @escaping @Sendable () -> Void) {
        self.init(clock.now.duration(to: instant), clock, whenOver) {
            try await clock.sleep(until: instant, tolerance: nil)
        }
    }

    private init<C: Clock<Duration>>(
        _ limit: Duration, _ clock: C, _ whenOver: @escaping @Sendable () -> Void,
        sleeping sleep: @escaping @Sendable () async throws -> Void
    ) {
        let decision = Decision()
        let giveUp: @Sendable () -> Void = { if decision.make() { whenOver() } }
        self.decision = decision
        if clock is ContinuousClock {
            timer = limit > .zero ? .continuous(Self.continuous.start(limit, whenOver: giveUp)) : .none
        } else if clock is SuspendingClock {
            timer = limit > .zero ? .suspending(Self.suspending.start(limit, whenOver: giveUp)) : .none
        } else {
            timer = .task(
                Task.detached(priority: Task.currentPriority) {
                    if (try? await sleep()) != nil { giveUp() }
                })
        }
        if case .none = timer { giveUp() }
    }

    /// Ends the wait.
    ///
    /// - Returns: Whether it ended before the time was over. If not, the closure was called, or is about to be.
    @discardableResult
    func end() -> Bool {
        switch timer {
        case .continuous(let id): Self.continuous.end(id)
        case .suspending(let id): Self.suspending.end(id)
        case .task(let task): task.cancel()
        case .none: break
        }
        return decision.make()
    }
}
