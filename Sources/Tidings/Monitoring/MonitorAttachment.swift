/// The lifetime of a monitor's attachment to a center or a bus: the monitor is detached when this is told to, or released.
///
/// Keep it in a property, or in a static constant if the monitor is to stay for as long as the program runs.
public final class MonitorAttachment: Sendable {
    private struct Use: Sendable {
        let monitor: AttachedMonitor
        let monitoring: Monitoring
        let refresh: @Sendable (AttachedMonitor?) -> Void
    }

    /// Everything that leads to the monitor; `nil` once it is detached. A monitor may hold its own attachment: detaching breaks
    /// the cycle of references.
    private let use: Lock<Use?>

    /// - Parameters:
    ///   - monitor: The monitor.
    ///   - monitoring: The monitors of the center.
    ///   - calls: Lists what is under way in the center.
    ///   - refresh: Tells the center that a monitor was attached, with that monitor, or that one was detached, with `nil`.
    @usableFromInline
    package init(
        _ monitor: AttachedMonitor, to monitoring: Monitoring,
        calls: @escaping @Sendable () -> [CallUnderWay] = { [] },
        refresh: @escaping @Sendable (AttachedMonitor?) -> Void
    ) {
        use = Lock(Use(monitor: monitor, monitoring: monitoring, refresh: refresh))
        monitoring.add(monitor)
        refresh(monitor)
        monitor.watchCalls(of: monitoring, calls)
    }

    deinit { detach() }

    /// Ends the monitoring. The monitor is told no event that happens after this has returned, and is released. Calling it
    /// again does nothing.
    public func detach() {
        guard let use = use.withLock({ $0.take() }) else { return }
        use.monitor.detach()
        use.monitoring.remove(use.monitor)
        use.refresh(nil)
    }

    /// Has the monitor told of no post and no call that begins, until ``resume()``; it is still told how those end that it was told of.
    ///
    /// Calls that begin while it is not paused are so a fair sample of all, however long they take.
    package func pause() {
        guard let use = use.withLock({ $0 }) else { return }
        use.monitoring.remove(use.monitor)
        use.refresh(nil)
    }

    /// Has the monitor told again. It is not to be called on several threads at the same time, nor with ``pause()``.
    package func resume() {
        guard let current = use.withLock({ $0 }) else { return }
        current.monitoring.add(current.monitor)
        current.refresh(current.monitor)
        // Detached meanwhile, and so it may have been before it was added.
        if use.withLock({ $0 == nil }) {
            current.monitoring.remove(current.monitor)
            current.refresh(nil)
        }
    }

    /// Has the monitor told of one post in so many from now on, if it follows posts.
    package func sample(onePostIn interval: Int) { use.withLock { $0 }?.monitor.sample(onePostIn: interval) }

    /// Warns about owners that have lived longer than expected, and about drops that were not told yet: call it at the end of a
    /// request or a test, or now and then.
    ///
    /// See ``WarningThresholds/ownerAge`` and ``WarningThresholds/dropInterval``.
    public func check() {
        use.withLock { $0 }?.monitor.check()
    }
}
