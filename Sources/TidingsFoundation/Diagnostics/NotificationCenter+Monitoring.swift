public import Foundation

extension NotificationCenter {
    /// Attaches a monitor, which is told from now on what happens in the center through Tidings. Several can be attached.
    ///
    /// Posts are told if somebody observes their name through Tidings, also classic ones. What cannot be decoded or encoded is
    /// told as `NotificationEvent.failed`, beside the ``NotificationReport``.
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - thresholds: When it is warned.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment: when it is let go, the monitor is detached.
    public func attach(
        _ monitor: some NotificationMonitor, thresholds: WarningThresholds = WarningThresholds(),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        let attached = AttachedMonitor(monitor, thresholds, clock)
        let identity = ObjectIdentifier(self)
        defer { InnerCenter.endUse(of: identity) }
        return MonitorAttachment(attached, to: InnerCenter.beginUse(of: self)) { [weak self] new in
            if let self { for inner in InnerCenter.all(of: self) { inner.posts.refreshMonitoring(new) } }
            InnerCenter.forgetUnused(identity)
        }
    }
}
