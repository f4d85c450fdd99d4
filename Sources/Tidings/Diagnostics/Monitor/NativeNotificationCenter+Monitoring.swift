extension NativeNotificationCenter {
    /// Attaches a monitor, which is told from now on what happens in the center. Several can be attached.
    ///
    /// A center without a monitor pays nothing for the possibility. With one, a post takes a lock for every observer, measures,
    /// and calls the monitor: what is promised of posts still holds, but they take longer.
    ///
    /// ```swift
    /// attachment = center.attach(Printer())
    /// ```
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
        MonitorAttachment(AttachedMonitor(monitor, thresholds, clock), to: monitoring) { [weak self] new in
            self?.refreshMonitoring(new)
        }
    }

    /// The monitors.
    package var monitoring: Monitoring { channels.monitoring }

    /// Looks at the monitors, of which one may be new.
    package func refreshMonitoring(_ new: AttachedMonitor?) { channels.refreshMonitoring(new) }

    /// Posts what nobody ever observed.
    @usableFromInline
    func postMonitored<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let channel = unsafe channels.makeChannel(of: N.self, center: ObjectIdentifier(self))
        // The channel lives as long as the center, which the caller keeps.
        return unsafe channel._withUnsafeGuaranteedRef { $0.post(notification, from: place) }
    }
}
