extension NativeNotificationCenter {
    /// Attaches a monitor, which is told from now on about the events of the center. Several can be attached.
    ///
    /// Posts cost nothing more while no monitor is attached. While one is, each post calls the monitor and, if it is interested in
    /// durations, reads clocks, so it takes longer; all promises still hold.
    ///
    /// ```swift
    /// attachment = center.attach(Printer())
    /// ```
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - interests: What it is told: everything, unless you say otherwise.
    ///   - thresholds: The limits beyond which it is warned.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment. When it is released, the monitor is detached.
    public func attach(
        _ monitor: some NotificationMonitor, interests: MonitorInterests = .everything,
        thresholds: WarningThresholds = WarningThresholds(), clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        MonitorAttachment(AttachedMonitor(monitor, interests, thresholds, clock), to: monitoring) { [weak self] new in
            self?.refreshMonitoring(new)
        }
    }

    /// Switches the monitoring of all channels on or off, after a monitor was attached or detached.
    ///
    /// - Parameter new: The monitor that was attached, if one was. It is given the observers that are tied to an owner.
    package func refreshMonitoring(_ new: AttachedMonitor?) {
        for channel in channels.all() {
            let host = CenterChannelHost.of(channel)
            for (entry, details) in channel.setMonitored({ monitoring.isActive }) {
                let observer = host.describe(entry, details)
                host.follow(details, observer)
                if let new, let owner = ObserverRegistration(details).owner { new.track(observer, owner: owner) }
            }
        }
    }

    /// Posts a notification of a type that has no channel, as it was never observed. Only monitors learn of it.
    @usableFromInline
    func postUnobserved<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if !monitoring.isActive { return 0 }
        let channel = unsafe makeChannel(of: N.self)
        // The channel lives as long as the center, which the caller keeps.
        return unsafe channel._withUnsafeGuaranteedRef { postUnusual(notification, from: place, in: $0) }
    }

    /// Posts a notification whose channel is monitored, or has observers whose owner or sender may be gone.
    @usableFromInline
    @inline(never)
    func postUnusual<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<N, N.Sender>, except left: Entry? = nil
    ) -> Int {
        channel.cancelSomeDead(.ofPost, looksAtSenders: true)
        let monitors = channel.isMonitored ? monitoring.current : []
        var post = MonitoredPost(monitors, except: left, in: channel)
        if monitors.isEmpty { return channel.post(notification, from: notification.sender, hook: &post) }
        let known = place.isKnown ? place : nil
        let subject = CenterChannelHost.of(channel).subject
        let span = MonitoredSpan(monitors)
        var calls = 0
        span.surround(post: subject, from: known) {
            calls = channel.post(notification, from: notification.sender, hook: &post)
        }
        span.end { .posted(NotificationPost(subject: subject, place: known, observers: calls, duration: $0)) }
        return calls
    }

    /// Posts a notification to all observers but one.
    ///
    /// Where two centers are joined, that one is the observer that relays to the center from which the notification comes: it
    /// would send the notification back.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - observation: The observation that is left out.
    ///   - place: Where the source posts it.
    /// - Returns: How many observers were called.
    package func post<N: TypedNotification>(
        _ notification: N, except observation: any ObserverHandle, from place: SourcePlace
    ) -> Int {
        // The channel lives as long as the center, which must not end before the post has.
        defer { extendLifetime(self) }
        guard let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? else { return 0 }
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            postUnusual(notification, from: place, in: channel, except: (observation as? EntryToken)?.entry)
        }
    }
}

/// A post that leaves out an observer, and tells monitors of each call that is made in it.
struct MonitoredPost: PostHook {
    private let monitors: [AttachedMonitor]
    private let left: Entry?
    private let host: CenterChannelHost
    private var call: (span: MonitoredSpan, observer: ObserverDescription)?

    init(_ monitors: [AttachedMonitor], except left: Entry?, in channel: Channel) {
        self.monitors = monitors
        self.left = left
        host = CenterChannelHost.of(channel)
    }

    mutating func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool {
        if entry == left { return false }
        call = nil
        if monitors.isEmpty { return true }
        // An asynchronous observer's entry only puts the notification into a queue: its call is told when it is made.
        let observer = host.describe(entry, details())
        if observer.delivery.isInPost {
            call = (MonitoredSpan(monitors, isWarnedOf: observer.delivery.isOnMainActor), observer)
        }
        return true
    }

    mutating func didCall(_ entry: Entry) {
        guard let (span, observer) = call.take() else { return }
        span.end { duration in
            .delivered(
                NotificationDelivery(
                    observer: observer, waited: nil, duration: duration, waiting: 0,
                    isOnMainActor: observer.delivery.isOnMainActor))
        }
    }
}
