extension TypedNotificationCenter {
    /// Checks whether the asynchronous observers of the center and of its groups keep up. Each problem names the
    /// observer and its group.
    ///
    /// A center of your own that doesn't forward always appears healthy, because only that center has the list of its
    /// observers.
    ///
    /// - Parameter thresholds: How many notifications may be queued, and how long a call may take.
    /// - Returns: The problems found.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        observations.health(thresholds)
    }
}
