/// The attachment of a monitor to a center or a bus. The monitor is detached when you release the attachment or call
/// ``detach()``. To keep the monitor attached until the program ends, store the attachment in a static constant.
public final class MonitorAttachment: Sendable {
    private typealias Use = (
        monitor: AttachedMonitor, monitoring: Monitoring, refresh: @Sendable (AttachedMonitor?) -> Void
    )

    /// `nil` after ``detach()``, which breaks the reference cycle of a monitor that holds its own attachment.
    private let use: Lock<Use?>

    /// Attaches a monitor. `refresh` informs the center that a monitor was attached or, with `nil`, detached.
    @usableFromInline
    package init(
        _ monitor: AttachedMonitor, to monitoring: Monitoring, calls: @escaping @Sendable () -> [CallUnderWay] = { [] },
        hasPosts: @escaping @Sendable () -> Bool = { false }, refresh: @escaping @Sendable (AttachedMonitor?) -> Void
    ) {
        use = Lock((monitor, monitoring, refresh))
        monitoring.add(monitor)
        refresh(monitor)
        monitor.watchCalls(of: monitoring, calls, hasPosts: hasPosts)
    }

    deinit { detach() }

    /// Detaches the monitor and releases it. The monitor doesn't receive events that happen after this method has
    /// returned. Calling this method again has no effect.
    public func detach() {
        guard let use = use.withLock({ $0.take() }) else { return }
        use.monitor.detach()
        use.monitoring.remove(use.monitor)
        use.refresh(nil)
    }

    /// Pauses the monitor until ``resume()``. Posts and calls that began before the pause are still reported when they
    /// end, and those that begin during the pause aren't. So long calls aren't missed more often than short ones.
    package func pause() {
        guard let use = use.withLock({ $0 }) else { return }
        use.monitoring.remove(use.monitor)
        use.refresh(nil)
    }

    /// Resumes the monitor. This method mustn't be called concurrently with itself or with ``pause()``. The monitor
    /// must not have a ``WarningThresholds/ownerAge``, because an owner that caused a warning would cause it again.
    package func resume() {
        guard let current = use.withLock({ $0 }) else { return }
        current.monitoring.add(current.monitor)
        current.refresh(current.monitor)
        current.monitor.watchAgain()
        // A concurrent `detach()` may have removed the monitor before `add` added it again.
        if use.withLock({ $0 == nil }) {
            current.monitoring.remove(current.monitor)
            current.refresh(nil)
        }
    }

    package func sample(every interval: Int, andCaused caused: Int) -> Int {
        use.withLock { $0 }?.monitor.sample(every: interval, andCaused: caused) ?? 0
    }

    /// Sends the warnings that are due: about owners that live too long, and about repeated drops and errors. Call this
    /// at the end of a request or a test, or periodically. Otherwise such owners are only found at the next event. See
    /// ``WarningThresholds/ownerAge`` and ``WarningThresholds/dropInterval``.
    public func check() {
        use.withLock { $0 }?.monitor.check()
    }
}
