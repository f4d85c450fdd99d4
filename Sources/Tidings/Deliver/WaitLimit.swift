import TidingsEngine

/// The time limit of a wait. All limits on the same clock of the standard library share one sleeping task. With any
/// other clock, such as a manual clock in a test, each limit has its own task.
package struct WaitLimit: Sendable {
    private final class Decision: Sendable {
        private let isMade = AtomicByte(false)

        func make() -> Bool { !isMade.exchange(true, ordering: .acquiringAndReleasing) }
    }

    private static let continuous = DeadlineTimer(ContinuousClock())
    private static let suspending = DeadlineTimer(SuspendingClock())

    private let stop: @Sendable () -> Void
    private let decision: Decision

    /// Calls `whenOver` after the limit, unless ``end()`` was called. The closure must be short: it delays other waits.
    package init(_ limit: Duration, _ clock: any Clock<Duration>, whenOver: @escaping @Sendable () -> Void) {
        self.init(limit, clock, whenOver) { Self.sleep(for: limit, on: clock) }
    }

    init<C: Clock<Duration>>(until instant: C.Instant, _ clock: C, whenOver: @escaping @Sendable () -> Void) {
        self.init(clock.now.duration(to: instant), clock, whenOver) {
            { try await clock.sleep(until: instant, tolerance: nil) }
        }
    }

    /// Returns a closure that sleeps until `limit` has passed since this call.
    private static func sleep(
        for limit: Duration, on clock: some Clock<Duration>
    ) -> @Sendable () async throws -> Void {
        let end = clock.now.advanced(by: limit)
        return { try await clock.sleep(until: end, tolerance: nil) }
    }

    private init(
        _ limit: Duration, _ clock: any Clock<Duration>, _ whenOver: @escaping @Sendable () -> Void,
        makingSleep makeSleep: () -> @Sendable () async throws -> Void
    ) {
        let decision = Decision()
        let giveUp: @Sendable () -> Void = { if decision.make() { whenOver() } }
        self.decision = decision
        guard clock is ContinuousClock || clock is SuspendingClock else {
            let sleep = makeSleep()
            let task = Task.detached(priority: Task.currentPriority) {
                if (try? await sleep()) != nil { giveUp() }
            }
            stop = { task.cancel() }
            return
        }
        if limit > .zero {
            let timer = clock is ContinuousClock ? Self.continuous : Self.suspending
            let id = timer.start(limit, whenOver: giveUp)
            stop = { timer.end(id) }
        } else {
            stop = {}
            giveUp()
        }
    }

    /// Ends the wait. Returns `false` if `whenOver` was called or is about to be called.
    @discardableResult
    package func end() -> Bool {
        stop()
        return decision.make()
    }
}
