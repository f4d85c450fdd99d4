/// A center that knows its observers: it lists them, and tells monitors of them.
///
/// It is found by an inquiry, which takes the way of a registration: a center that forwards passes the inquiry on like any other
/// registration, and need not know of it.
///
/// What the table of a conformance names is in every program. So a center only hands out its native centers, and what is waited for at
/// the end of them is compiled where a program waits for it.
@usableFromInline
package protocol ListingCenter: TypedNotificationCenter {
    /// The observations that a post can reach.
    var observations: [ObservationStatus] { get }

    /// How many notifications were posted, delivered and dropped.
    var statistics: NotificationStatistics { get }

    /// Tells a monitor from now on what happens in the center.
    func attach(_ monitor: AttachedMonitor) -> MonitorAttachment

    /// The queues into which the post of a notification puts something, conditions aside.
    func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue]

    /// The native centers that have its observers.
    var nativeCenters: [NativeNotificationCenter] { get }

    /// Takes nothing new, and has its native centers finished.
    ///
    /// - Parameter finish: Finishes native centers, and returns what was left.
    /// - Returns: What it returns.
    func finish(by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]) async -> [ObservationStatus]
}

extension ListingCenter {
    /// None: a center of this kind has no queues, or does not say which.
    package func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue] { [] }
}

/// A type that is never posted. A center that lists its observers does not register the observer of an inquiry, but returns a
/// ``CenterAnswer``.
package struct CenterInquiry: TypedNotification {}

/// What a center returns to an inquiry, in the place of an observation.
package struct CenterAnswer: ObserverHandle {
    let listing: any ListingCenter

    /// - Parameter center: The center that answers.
    package init(center: any ListingCenter) { listing = center }

    package var center: ObjectIdentifier? { nil }
    package var isActive: Bool { false }
    package func cancel() {}
    package func drain() async {}
}

extension TypedNotificationCenter {
    /// The center that knows the observers that are registered with this one; `nil` if it is a center of the user's own.
    @usableFromInline package var listing: (any ListingCenter)? {
        let place = SourcePlace()
        let answer = observe(
            CenterInquiry.self, sender: .everyone,
            registration: ObserverRegistration(fileID: place.fileID, line: place.line)
        ) { _ in }
        // A center that does not know of inquiries has registered an observer.
        answer.cancel()
        return (answer as? CenterAnswer)?.listing
    }

    /// The observations of the center, each with the place of its registration and the state of its queue. A center that forwards
    /// has those of the center to which it forwards.
    ///
    /// ```swift
    /// func show(_ center: any TypedNotificationCenter) { print(center.observations.table) }
    /// ```
    ///
    /// It is empty for a center of your own that does not forward, as only that one knows its observers.
    @export(implementation) public var observations: [ObservationStatus] { listing?.observations ?? [] }

    /// How many notifications of each type were posted, delivered and dropped since the center was made; of a center that
    /// forwards, those of the center to which it does.
    ///
    /// It is counted all the time, with or without a monitor, by each thread for itself.
    ///
    /// ```swift
    /// print(center.statistics.table)
    /// ```
    ///
    /// It has no rows for a center of your own that does not forward.
    @export(implementation)
    public var statistics: NotificationStatistics { listing?.statistics ?? StatisticsSum().statistics }

    /// Attaches a monitor, which is told from now on about the events of the center. Several can be attached.
    ///
    /// Posts cost nothing more while no monitor is attached. While one is, each post calls the monitor and, if it is interested
    /// in durations, reads clocks, so it takes longer; all promises still hold.
    ///
    /// ```swift
    /// attachment = center.attach(Printer())
    /// ```
    ///
    /// With a center that forwards, the monitor is attached to the center to which it does. Posts on Foundation's center are told
    /// if their name is observed through Tidings, also classic ones; what cannot be decoded or encoded there is told as
    /// ``NotificationEvent/failed(_:)``. Of a center of your own that does not forward, the monitor is told nothing.
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - interests: What it is told; `nil` for its own ``NotificationMonitor/interests``.
    ///   - interval: Of how many posts it is told of one, with the calls, waits and drops that the post leads to. Each thread
    ///     counts its own posts; where many threads post at once, one may be counted anew.
    ///   - thresholds: The limits beyond which it is warned.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment. When it is released, the monitor is detached.
    @export(implementation)
    public func attach(
        _ monitor: some NotificationMonitor, interests: MonitorInterests? = nil, onePostIn interval: Int = 1,
        thresholds: WarningThresholds = WarningThresholds(), clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        let attached = AttachedMonitor(monitor, interests, onePostIn: interval, thresholds, clock)
        return listing?.attach(attached) ?? MonitorAttachment(attached, to: Monitoring()) { _ in }
    }

    /// Ends all observations that are tied to an owner, with the center that knows them.
    ///
    /// - Parameter owner: The owner.
    @export(implementation)
    public func removeObservers(of owner: AnyObject) { listing?.removeObservers(of: owner) }
}
