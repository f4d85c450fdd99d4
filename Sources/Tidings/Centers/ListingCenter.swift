/// A center that keeps a list of its observers, and reports to monitors.
///
/// A forwarding center isn't one: its ``TypedNotificationCenter/underlyingCenter`` leads to one.
///
/// Everything that a witness table refers to is linked into every program. So a conforming center only returns its
/// native centers, and the code that waits for their end is compiled into the programs that use it.
@usableFromInline
package protocol ListingCenter: TypedNotificationCenter {
    /// The observations that posts can reach.
    var observations: [ObservationStatus] { get }

    var statistics: NotificationStatistics { get }

    func attach(_ monitor: AttachedMonitor) -> MonitorAttachment

    /// The queues into which a post of a notification would put it, regardless of conditions.
    func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue]

    /// The native centers with which its observers are registered.
    var nativeCenters: [NativeNotificationCenter] { get }

    /// Posts a notification only to some observers, by their numbers. Returns the number of observers called.
    func post<N: TypedNotification>(_ notification: N, toObservers numbers: [UInt64], from place: SourcePlace) -> Int

    /// Stops accepting posts and registrations. `finish` finishes the native centers, and returns the observers that
    /// didn't finish in time.
    func finish(by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]) async -> [ObservationStatus]

    /// Drains its native centers with a closure that returns when they have handled everything that was posted.
    func drain(by drain: ([NativeNotificationCenter]) async -> Void) async
}

extension ListingCenter {
    /// No queues, as for a center that has none or doesn't provide them.
    package func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue] { [] }

    @usableFromInline
    package func drain(by drain: ([NativeNotificationCenter]) async -> Void) async { await drain(nativeCenters) }
}

extension TypedNotificationCenter {
    /// `nil`: by default, a center doesn't forward.
    @export(implementation) public var underlyingCenter: (any TypedNotificationCenter)? { nil }

    /// The center that lists the observers that are registered with this one; `nil` for a center that isn't part of the
    /// package and doesn't forward to one that is.
    @usableFromInline package var listing: (any ListingCenter)? {
        (self as? any ListingCenter) ?? underlyingCenter?.listing
    }

    /// The observations of the center, each with the place of its registration and the state of its queue. A forwarding
    /// center returns those of the center to which it forwards.
    ///
    /// ```swift
    /// func show(_ center: any TypedNotificationCenter) { print(center.observations.table) }
    /// ```
    ///
    /// For a center of your own that doesn't forward, it is empty, because only that center knows its observers.
    @export(implementation) public var observations: [ObservationStatus] { listing?.observations ?? [] }

    /// The numbers of notifications of each type that were posted, delivered and dropped since the center was created.
    /// A forwarding center returns those of the center to which it forwards.
    ///
    /// The numbers are always counted, with or without a monitor, and each thread has its own counters.
    ///
    /// ```swift
    /// print(center.statistics.table)
    /// ```
    ///
    /// For a center of your own that doesn't forward, there are no rows.
    @export(implementation)
    public var statistics: NotificationStatistics { listing?.statistics ?? StatisticsSum().statistics }

    /// Attaches a monitor, which receives the events of the center from now on. Several monitors can be attached.
    ///
    /// While no monitor is attached, posts have no overhead. While one is attached, posts take longer, because each
    /// post calls the monitor and, if the monitor is interested in durations, reads clocks. All promises still hold.
    ///
    /// ```swift
    /// attachment = center.attach(Printer())
    /// ```
    ///
    /// For a forwarding center, the monitor is attached to the center to which it forwards. Posts on Foundation's
    /// center are reported if their name is observed through Tidings, even those made with Foundation's own API. A
    /// notification that can't be decoded or encoded there is reported as ``NotificationEvent/failed(_:)``. For a
    /// center of your own that doesn't forward, the monitor receives no events.
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - interests: The events that it receives; `nil` for its own ``NotificationMonitor/interests``.
    ///   - samplingInterval: The monitor receives one in so many posts, together with the calls, waits and drops that
    ///     result from that post. Each thread counts its own posts. If many threads post at once, a thread may restart
    ///     its count.
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

    /// Ends all observations that are tied to an owner, in the ``underlyingCenter``, if there is one.
    ///
    /// - Parameter owner: The owner.
    @export(implementation)
    public func removeObservers(of owner: AnyObject) { underlyingCenter?.removeObservers(of: owner) }
}
