extension TypedNotificationCenter {
    /// Checks whether the center's asynchronous observers keep up. Each problem names the observer and its group.
    ///
    /// A center of your own that doesn't forward always appears healthy, because its observers aren't listed.
    ///
    /// - Parameter thresholds: How many notifications may be queued, and how long a call may take.
    /// - Returns: The problems found.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        observations.health(thresholds)
    }
}
