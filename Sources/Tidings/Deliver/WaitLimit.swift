import TidingsEngine

/// A time limit for a wait. All waits on the same clock of the standard library share one sleeping task. With any other
/// clock, such as a manual one in a test, each wait has its own task.
package struct WaitLimit: Sendable {
    private enum Timer: Sendable {
        case continuous(DeadlineID)
        case suspending(DeadlineID)
        case task(Task<Void, Never>)
        case none
    }

    private final class Decision: Sendable {
        private let isMade = AtomicByte(false)

        func make() -> Bool { !isMade.exchange(true, ordering: .acquiringAndReleasing) }
    }

    private static let continuous = DeadlineTimer(ContinuousClock())
    private static let suspending = DeadlineTimer(SuspendingClock())

    private let timer: Timer
    private let decision: Decision

    /// `whenOver` must be short, because the timer calls others after it. It isn't called if the wait has ended before.
    package init(_ limit: Duration, _ clock: any Clock<Duration>, whenOver: @escaping @Sendable () -> Void) {
        func begin<C: Clock<Duration>>(_ clock: C) -> WaitLimit {
            WaitLimit(limit, clock, whenOver) { try await clock.sleep(for: limit) }
        }
        self = begin(clock)
    }

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

    /// Ends the wait. Returns `false` if the closure was called or is about to be.
    @discardableResult
    package func end() -> Bool {
        switch timer {
        case .continuous(let id): Self.continuous.end(id)
        case .suspending(let id): Self.suspending.end(id)
        case .task(let task): task.cancel()
        case .none: break
        }
        return decision.make()
    }
}
