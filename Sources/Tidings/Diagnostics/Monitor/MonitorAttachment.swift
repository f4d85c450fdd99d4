/// The time for which a monitor is attached to a center: until it is detached, or this is let go.
///
/// Keep it in a property, or as a static constant for as long as the program runs.
public final class MonitorAttachment: Sendable {
    private struct Use: Sendable {
        let monitor: AttachedMonitor
        let monitoring: Monitoring
        let refresh: @Sendable (AttachedMonitor?) -> Void
    }

    /// What the attachment holds until the monitor is detached, which may hold the attachment in turn.
    private let use: Lock<Use?>

    /// - Parameters:
    ///   - monitor: The monitor.
    ///   - monitoring: The monitors of the center.
    ///   - refresh: Tells the center to look at its monitors, of which one may be new.
    package init(
        _ monitor: AttachedMonitor, to monitoring: Monitoring, refresh: @escaping @Sendable (AttachedMonitor?) -> Void
    ) {
        use = Lock(Use(monitor: monitor, monitoring: monitoring, refresh: refresh))
        monitoring.add(monitor)
        refresh(monitor)
    }

    deinit { detach() }

    /// Ends the monitoring. No event that happens after this has returned is told, and the monitor is let go. Calling it
    /// again does nothing.
    public func detach() {
        guard let use = use.withLock({ $0.take() }) else { return }
        use.monitor.detach()
        use.monitoring.remove(use.monitor)
        use.refresh(nil)
    }

    /// Looks for owners that live longer than expected, and warns about them: at the end of a request or a test, say.
    ///
    /// See ``WarningThresholds/ownerAge``.
    public func check() {
        use.withLock { $0 }?.monitor.check()
    }
}
