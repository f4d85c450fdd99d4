/// A center that knows its observers: it lists them, and tells monitors of them.
///
/// Whoever holds some center gets to the one that has its observers by an inquiry, which goes the way that a registration goes:
/// a center that forwards passes it on like any other, and need not know of it.
package protocol ListingCenter: TypedNotificationCenter {
    /// The observations that a post can reach.
    var observations: [ObservationStatus] { get }

    /// Tells a monitor from now on what happens in the center.
    func attach(_ monitor: AttachedMonitor) -> MonitorAttachment

    /// Returns when everything that was posted before has been handled, or when the time is over, with what was left.
    func drain(within limit: Duration, clock: any Clock<Duration>) async -> [ObservationStatus]

    /// Takes nothing new, and returns when all observers have finished, or when the time is over, with what was left.
    func finish(within limit: Duration, clock: any Clock<Duration>) async -> [ObservationStatus]
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
    package var listing: (any ListingCenter)? {
        let place = SourcePlace()
        let answer = observe(
            CenterInquiry.self, sender: .everyone,
            registration: ObserverRegistration(fileID: place.fileID, line: place.line)
        ) { _ in }
        // A center that does not know of inquiries has registered an observer.
        answer.cancel()
        return (answer as? CenterAnswer)?.listing
    }

    /// Who observes what, since where, and what waits for whom; of a center that forwards, the observations of the center to
    /// which it does.
    ///
    /// ```swift
    /// func show(_ center: any TypedNotificationCenter) { print(center.observations.table) }
    /// ```
    ///
    /// It is empty for a center of your own that does not forward, as only that one knows its observers.
    public var observations: [ObservationStatus] { listing?.observations ?? [] }

    /// Attaches a monitor, which is told from now on about the events of the center. Several can be attached.
    ///
    /// Posts cost nothing more while no monitor is attached. While one is, each post reads clocks and calls the monitor, so
    /// it takes longer; all promises still hold.
    ///
    /// ```swift
    /// attachment = center.attach(Printer())
    /// ```
    ///
    /// With a center that forwards, the monitor is attached to the center to which it does. Posts on Foundation's center are told if
    /// their name is observed through Tidings, also classic ones; what cannot be decoded or encoded there is told as
    /// ``NotificationEvent/failed(_:)``. Of a center of your own that does not forward, the monitor is told nothing.
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - thresholds: The limits beyond which it is warned.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment. When it is released, the monitor is detached.
    public func attach(
        _ monitor: some NotificationMonitor, thresholds: WarningThresholds = WarningThresholds(),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        let attached = AttachedMonitor(monitor, thresholds, clock)
        return listing?.attach(attached) ?? MonitorAttachment(attached, to: Monitoring()) { _ in }
    }

    /// Ends all observations that are tied to an owner, with the center that knows them.
    ///
    /// - Parameter owner: The owner.
    public func removeObservers(of owner: AnyObject) { listing?.removeObservers(of: owner) }
}
