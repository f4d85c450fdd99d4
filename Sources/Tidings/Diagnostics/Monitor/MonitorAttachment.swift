/// The time for which a monitor is attached to a center: until it is detached, or this is let go.
///
/// Keep it in a property, or as a static constant for as long as the program runs.
public final class MonitorAttachment: Sendable {
    private let attached: AttachedMonitor
    private let end: @Sendable () -> Void

    /// - Parameters:
    ///   - attached: The monitor.
    ///   - monitoring: The monitors of the center.
    ///   - refresh: Tells the center to look at its monitors, of which one may be new.
    package init(
        _ attached: AttachedMonitor, to monitoring: Monitoring, refresh: @escaping @Sendable (AttachedMonitor?) -> Void
    ) {
        self.attached = attached
        end = {
            attached.detach()
            monitoring.remove(attached)
            refresh(nil)
        }
        monitoring.add(attached)
        refresh(attached)
    }

    deinit { end() }

    /// Ends the monitoring. No event that happens after this has returned is told. Calling it again does nothing.
    public func detach() { end() }

    /// Looks for owners that live longer than expected, and warns about them: at the end of a request or a test, say.
    ///
    /// See ``WarningThresholds/ownerAge``.
    public func check() { attached.check() }
}
