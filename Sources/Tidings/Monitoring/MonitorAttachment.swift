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
    ///   - refresh: Tells the center that a monitor was attached, with that monitor, or that one was detached, with `nil`.
    package init(
        _ monitor: AttachedMonitor, to monitoring: Monitoring, refresh: @escaping @Sendable (AttachedMonitor?) -> Void
    ) {
        use = Lock(Use(monitor: monitor, monitoring: monitoring, refresh: refresh))
        monitoring.add(monitor)
        refresh(monitor)
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

    /// Warns about owners that have lived longer than expected, and about drops that were not told yet: call it at the end of a
    /// request or a test, or now and then.
    ///
    /// See ``WarningThresholds/ownerAge`` and ``WarningThresholds/dropInterval``.
    public func check() {
        use.withLock { $0 }?.monitor.check()
    }
}
