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
    /// Whatever is posted by the name counts, also by Foundation's own methods. A delivery counts if the post reached its observer, also
    /// where the notification could not be decoded. A main-actor notification that was posted elsewhere is a second post when it comes
    /// again on the main actor, where its observers are called. Of what is observed no more, a thousand names are kept,
    /// as long as anything is observed or a monitor is attached: when neither is, all numbers begin anew.
    public var statistics: NotificationStatistics {
        CenterRegistry.find(self)?.statistics ?? StatisticsSum().statistics
    }

    @usableFromInline
    package func attach(_ monitor: AttachedMonitor) -> MonitorAttachment {
        let registry = CenterRegistry.of(self)
        return MonitorAttachment(
            monitor, to: registry.monitoring, calls: { registry.nativeCenters.flatMap(\.callsUnderWay) }
        ) { registry.refreshMonitoring($0) }
    }

    /// Ends the observations that are tied to an owner; observers that were registered by Foundation's own methods stay.
    ///
    /// - Parameter owner: The owner.
    public func removeObservers(of owner: AnyObject) { CenterRegistry.find(self)?.removeObservers(of: owner) }

    @usableFromInline
    package func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue] {
        CenterRegistry.find(self)?.nativeCenters.flatMap { $0.allQueues } ?? []
    }

    @usableFromInline
    package var nativeCenters: [NativeNotificationCenter] { CenterRegistry.find(self)?.nativeCenters ?? [] }

    @usableFromInline
    package func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await CenterRegistry.find(self)?.finish(self, by: finish) ?? []
    }

    /// Ends all observations through Tidings, and returns when what was posted before has been handled, or when the time is over.
    ///
    /// It is `finish(within:clock:)` of every center, with a difference: Foundation's center outlives what observes it. Posts go
    /// on, and reach the observers that were registered by Foundation's own methods. An observer that is added through Tidings
    /// afterwards is called. What was posted off the main actor, and has yet to be brought to observers there, is not; nor does a later
    /// call wait for what was left when the time was over.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: The observations that had not finished, as they stand; none if all have.
    @discardableResult
    @export(implementation)
    public func finish(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        await finish { centers in await NativeNotificationCenter.finish(centers, within: limit, clock: clock) }
    }
}
