extension TypedNotificationCenter {
    /// Whether the asynchronous observers of the center keep up. Those of its groups are among them: each problem names the observer with
    /// its group.
    ///
    /// Of a center of your own that does not forward nothing is known, so all seems well.
    ///
    /// - Parameter thresholds: How many notifications may wait, and how long a call may take.
    /// - Returns: What is not as it should be.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        observations.health(thresholds)
    }
}
