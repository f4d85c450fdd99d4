import Synchronization

/// A monitor that is attached to a center, with its clock and what it was warned about.
package final class AttachedMonitor: Sendable {
    private struct Stopwatch: Sendable {
        let elapsed: @Sendable () -> Duration

        init<C: Clock<Duration>>(_ clock: C) {
            let start = clock.now
            elapsed = { start.duration(to: clock.now) }
        }
    }

    /// The monitor as one that carries contexts, if it does.
    let carrier: (any ContextCarryingMonitor)?

    private let monitor: any NotificationMonitor
    private let stopwatch: Stopwatch
    private let warnings: Lock<WarningLog>
    private let isAttached = Atomic(true)

    package init(_ monitor: any NotificationMonitor, _ thresholds: WarningThresholds, _ clock: any Clock<Duration>) {
        self.monitor = monitor
        carrier = monitor as? any ContextCarryingMonitor
        stopwatch = Stopwatch(clock)
        warnings = Lock(WarningLog(thresholds))
    }

    /// The time since the monitor was attached, by its own clock.
    var now: Duration { stopwatch.elapsed() }

    /// Tells the monitor an event, and what it is to be warned about.
    func receive(_ event: NotificationEvent) {
        guard isAttached.load(ordering: .acquiring) else { return }
        let (warning, isTracking) = warnings.withLock { ($0.note(event), $0.isTracking) }
        Monitoring.causing { monitor.receive(event) }
        if let warning { warn(warning) }
        if isTracking { check() }
    }

    /// Notes an observer that is tied to an owner.
    func track(_ observer: ObserverDescription, owner: ObserverOwner) {
        let now = now
        warnings.withLock { $0.track(observer, owner: owner, since: now) }
    }

    /// Warns about owners that live longer than expected.
    func check() {
        guard isAttached.load(ordering: .acquiring) else { return }
        let now = now
        // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
        for old in warnings.withLock({ $0.takeOld(now) }) {
            guard let owner = old.owner.words else { continue }
            warn(.lastingOwner(old.observer, owner: owner, age: now - old.since))
        }
    }

    /// Tells nothing any more.
    func detach() {
        check()
        isAttached.store(false, ordering: .releasing)
    }

    private func warn(_ warning: ObserverWarning) {
        guard isAttached.load(ordering: .acquiring) else { return }
        Monitoring.causing { monitor.receive(.warning(warning)) }
    }
}
