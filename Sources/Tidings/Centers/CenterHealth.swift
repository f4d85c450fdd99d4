extension TypedNotificationCenter {
    /// Checks whether the center's asynchronous observers keep up. Each problem names the observer and its group.
    ///
    /// A custom center that doesn't forward to another center lists no observers, so it always appears healthy.
    ///
    /// - Parameter thresholds: How many notifications may be queued, and how long a call may take.
    /// - Returns: The problems found.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        observations.health(thresholds)
    }
}
