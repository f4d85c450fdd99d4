public import Foundation

extension NotificationCenter: ListingCenter {
    /// Who observes what through Tidings, since where, and what waits; Foundation's own observers are not known.
    ///
    /// What is observed is a notification type, or, with a descriptor, the name of a notification.
    ///
    /// ```swift
    /// print(NotificationCenter.default.observations.table)
    /// ```
    public var observations: [ObservationStatus] { CenterRegistry.find(self)?.observations ?? [] }

    /// The observations through Tidings that were the last to end, with the reason: the last sixteen of each name that is observed,
    /// after the last sixty-four of names that are observed no more.
    public var endedObservations: [EndedObservation] { CenterRegistry.find(self)?.endedObservations ?? [] }

    /// How many notifications of each name, or type of message, were posted, delivered and dropped while they were observed through
    /// Tidings.
    ///
    /// Whatever is posted by the name counts, also by Foundation's own methods. A delivery counts if its observer was called, also where
    /// the notification could not be decoded. A main-actor notification that was posted elsewhere is a second post when it comes
    /// again on the main actor. Of what is observed no more, a thousand names are kept.
    public var statistics: NotificationStatistics {
        CenterRegistry.find(self)?.statistics ?? NotificationStatistics([])
    }

    package func attach(_ monitor: AttachedMonitor) -> MonitorAttachment {
        let registry = CenterRegistry.of(self)
        return MonitorAttachment(monitor, to: registry.monitoring) { registry.refreshMonitoring($0) }
    }

    /// Ends the observations that are tied to an owner; observers that were registered by Foundation's own methods stay.
    ///
    /// - Parameter owner: The owner.
    public func removeObservers(of owner: AnyObject) { CenterRegistry.find(self)?.removeObservers(of: owner) }
}
