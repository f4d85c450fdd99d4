/// A center that can list its observers. A forwarding center doesn't have to conform, because its
/// ``TypedNotificationCenter/underlyingCenter`` leads to a center that conforms.
///
/// `finish` and `drain` receive the code that waits for observers as a closure. Otherwise, witness tables would refer
/// to that code, and it would be linked into every program.
@usableFromInline
package protocol ListingCenter: TypedNotificationCenter {
    var observations: [ObservationStatus] { get }

    var statistics: NotificationStatistics { get }

    func attach(_ monitor: AttachedMonitor) -> MonitorAttachment

    /// Returns the queues of the observers that the notification reaches. The result may contain more queues, for
    /// example of observers whose condition rejects the notification.
    func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue]

    var nativeCenters: [NativeNotificationCenter] { get }

    /// The centers for which a drain waits: `nativeCenters`, and the centers that are finishing.
    var drainedCenters: [NativeNotificationCenter] { get }

    func post<N: TypedNotification>(_ notification: N, toObservers numbers: [UInt64], from place: SourcePlace) -> Int

    func finish(by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]) async -> [ObservationStatus]

    func drain(by drain: ([NativeNotificationCenter]) async -> Void) async
}

extension ListingCenter {
    package func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue] { [] }

    @usableFromInline
    package var drainedCenters: [NativeNotificationCenter] { nativeCenters }

    @usableFromInline
    package func drain(by drain: ([NativeNotificationCenter]) async -> Void) async { await drain(drainedCenters) }
}

extension TypedNotificationCenter {
    /// `nil`, because a center doesn't forward by default.
    @export(implementation) public var underlyingCenter: (any TypedNotificationCenter)? { nil }

    @usableFromInline package var listing: (any ListingCenter)? {
        (self as? any ListingCenter) ?? underlyingCenter?.listing
    }

    /// The observations of the center, each with the place of its registration and the state of its queue. A forwarding
    /// center returns those of its ``underlyingCenter``. A center of your own that doesn't forward returns none.
    ///
    /// ```swift
    /// func show(_ center: any TypedNotificationCenter) { print(center.observations.table) }
    /// ```
    @export(implementation) public var observations: [ObservationStatus] { listing?.observations ?? [] }

    /// The numbers of posts, deliveries, drops and failures of each notification type since the center was created. No
    /// monitor is needed. A forwarding center returns the numbers of its ``underlyingCenter``. A center of your own
    /// that doesn't forward returns none.
    ///
    /// ```swift
    /// print(center.statistics.table)
    /// ```
    @export(implementation)
    public var statistics: NotificationStatistics { listing?.statistics ?? StatisticsSum().statistics }

    /// Attaches a monitor, which receives the events of the center from now on. Several monitors can be attached.
    ///
    /// Without a monitor, posts have no overhead. With one, a post calls the monitor for each event that the monitor
    /// receives and, if the monitor is interested in durations, reads clocks. All guarantees of the center still hold.
    ///
    /// ```swift
    /// attachment = center.attach(Printer())
    /// ```
    ///
    /// On a forwarding center, the monitor is attached to the ``underlyingCenter``. On a center of your own that
    /// doesn't forward, the monitor receives no events. On Foundation's center, the monitor receives the posts of names
    /// that are observed through Tidings, even posts made with Foundation's own API. If a notification can't be decoded
    /// or encoded, the monitor receives ``NotificationEvent/failed(_:)``.
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - interests: The events that the monitor receives; `nil` for its own ``NotificationMonitor/interests``.
    ///   - samplingInterval: The interval *n*: the monitor receives one in *n* posts, and the calls, waits and drops
    ///     that result from that post. Each thread counts its own posts, and may restart its count if many threads post
    ///     at once. If a ``ContextCarryingMonitor`` is attached, the posts of all threads are counted together.
    ///   - thresholds: The limits beyond which the monitor receives a warning.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment. When it is released, the monitor is detached.
    @export(implementation)
    public func attach(
        _ monitor: some NotificationMonitor, interests: MonitorInterests? = nil, samplingInterval: Int = 1,
        thresholds: WarningThresholds = WarningThresholds(), clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        let attached = AttachedMonitor(monitor, interests, samplingInterval: samplingInterval, thresholds, clock)
        return listing?.attach(attached) ?? MonitorAttachment(attached, to: Monitoring()) { _ in }
    }

    /// Ends all observations that are tied to an owner, in the ``underlyingCenter`` if there is one.
    ///
    /// - Parameter owner: The owner.
    @export(implementation)
    public func removeObservers(of owner: AnyObject) { underlyingCenter?.removeObservers(of: owner) }
}
