extension TypedNotificationCenter {
    /// Checks whether the asynchronous observers of the center keep up. The observers of its groups are included; each
    /// problem names the observer with its group.
    ///
    /// A center of your own that doesn't forward can't be checked, so it always appears healthy.
    ///
    /// - Parameter thresholds: How many notifications may be queued, and how long a call may take.
    /// - Returns: The problems that were found.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        observations.health(thresholds)
    }
}
