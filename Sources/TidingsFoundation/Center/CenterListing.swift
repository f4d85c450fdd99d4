public import Foundation

extension NotificationCenter: ListingCenter {
    /// The observations that were registered through Tidings, each with its source line and its queue. The subject of
    /// an observation is a notification type or, for a ``NotificationDescriptor``, the name of a notification.
    ///
    /// ```swift
    /// print(NotificationCenter.default.observations.table)
    /// ```
    public var observations: [ObservationStatus] { CenterRegistry.find(self)?.observations ?? [] }

    /// The observations that were registered through Tidings and ended most recently, each with the reason why it
    /// ended. First come up to 64 observations of names that Tidings no longer observes, and then up to 16 observations
    /// of each name that Tidings still observes.
    public var endedObservations: [EndedObservation] { CenterRegistry.find(self)?.endedObservations ?? [] }

    /// The numbers of notifications that were posted, delivered and dropped, for each name and each message type. A
    /// post is counted only while its name or type is observed through Tidings.
    ///
    /// Posts that were made with Foundation's own API are counted as well. A delivery is counted even if the
    /// notification couldn't be decoded. A main-actor notification that was posted off the main actor is counted twice,
    /// because Tidings posts it again on the main actor. The numbers of up to a thousand names are kept after the names
    /// are no longer observed. Some time after the last observer and the last monitor are gone, all numbers are reset.
    public var statistics: NotificationStatistics {
        CenterRegistry.find(self)?.statistics ?? StatisticsSum().statistics
    }

    @usableFromInline
    package func attach(_ monitor: AttachedMonitor) -> MonitorAttachment {
        let registry = CenterRegistry.of(self)
        return MonitorAttachment(
            monitor, to: registry.monitoring, calls: { registry.livingCenters.flatMap(\.callsUnderWay) },
            hasPosts: { registry.livingCenters.contains { $0.hasPosts } }
        ) { registry.refreshMonitoring($0) }
    }

    /// Ends the observations that are tied to an owner, except those that were registered with Foundation's own API.
    ///
    /// - Parameter owner: The owner.
    public func removeObservers(of owner: AnyObject) { CenterRegistry.find(self)?.removeObservers(of: owner) }

    @usableFromInline
    package func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue] {
        CenterRegistry.find(self)?.nativeCenters.flatMap { $0.allQueues } ?? []
    }

    @usableFromInline
    package func post<N: TypedNotification>(
        _ notification: N, toObservers numbers: [UInt64], from place: SourcePlace
    ) -> Int {
        guard !numbers.isEmpty, let registry = CenterRegistry.find(self) else { return 0 }
        let traits = NotificationTraits.of(N.self)
        if traits.isSelfDelivered {
            return registry.nativeCenters.reduce(0) { $0 + $1.post(notification, toOwn: numbers, from: place) }
        }
        let post = TypedPostOf(notification, on: self, traits, from: place, visited: nil)
        var carrier = post.carrier(reportingTo: self)
        post.carry(in: &carrier)
        defer { post.end() }
        return registry.forwarder(of: carrier.name)?.receive(carrier, for: numbers) ?? 0
    }

    @usableFromInline
    package var nativeCenters: [NativeNotificationCenter] { CenterRegistry.find(self)?.nativeCenters ?? [] }

    @usableFromInline
    package var drainedCenters: [NativeNotificationCenter] { CenterRegistry.find(self)?.livingCenters ?? [] }

    @usableFromInline
    package func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await CenterRegistry.find(self)?.finish(self, by: finish) ?? []
    }

    /// Ends all observations that were registered through Tidings. Returns when everything that was posted before has
    /// been handled, or when the time limit has passed.
    ///
    /// Unlike other centers, Foundation's center still accepts posts and observers afterwards. Later posts reach
    /// observers that are registered with Foundation's own API, and new observers that are added through Tidings. A
    /// main-actor notification that was posted off the main actor is lost if Tidings hasn't posted it again on the main
    /// actor yet.
    ///
    /// This method can be called several times, even concurrently. Once all of these calls have returned, a new call
    /// doesn't wait for observers that still haven't finished, and `removeObservers(of:)` doesn't discard their queues.
    /// To discard these queues, cancel the tokens.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task also ends the wait.
    ///   - clock: The clock that measures the time.
    /// - Returns: The state of the observations that haven't finished; empty if all have finished.
    @discardableResult
    @export(implementation)
    public func finish(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        await finish { centers in await NativeNotificationCenter.finish(centers, within: limit, clock: clock) }
    }
}
