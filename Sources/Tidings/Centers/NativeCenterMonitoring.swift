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
    ///   - interval: Of how many posts it is told of one, with the calls, waits and drops that the post leads to. Each thread
    ///     counts its own posts.
    ///   - thresholds: The limits beyond which it is warned.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment. When it is released, the monitor is detached.
    public func attach(
        _ monitor: some NotificationMonitor, interests: MonitorInterests = .everything, onePostIn interval: Int = 1,
        thresholds: WarningThresholds = WarningThresholds(), clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        MonitorAttachment(AttachedMonitor(monitor, interests, onePostIn: interval, thresholds, clock), to: monitoring) {
            [weak self] new in
            self?.refreshMonitoring(new)
        }
    }

    /// Switches the monitoring of all channels on or off, after a monitor was attached or detached.
    ///
    /// - Parameter new: The monitor that was attached, if one was. It is given the observers that are tied to an owner.
    package func refreshMonitoring(_ new: AttachedMonitor?) {
        for channel in channels.all() {
            let host = CenterChannelHost.of(channel)
            let known = channel.setMonitored {
                let replaced = host.replaceMonitors()
                return (monitoring.isActive, replaced)
            }
            for (entry, details) in known {
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
        if !channel.isMonitored || Monitoring.isCausing {
            var hook = LeavingOut(entry: left)
            return channel.post(notification, from: notification.sender, hook: &hook)
        }
        let host = CenterChannelHost.of(channel)
        let known = place.isKnown ? place : nil
        if host.hasCarriers, let monitors = monitoring.list {
            return unsafe ToldPost.perform(host, from: known, isSurrounded: true) { told, log in
                unsafe told.pointee.begin(monitors, in: nil, at: told)
                var calls = 0
                monitors.surround(post: host.subject, from: known) {
                    calls = unsafe channel.post(
                        notification, from: { $0.sender }, except: left, in: log, begin: { _ in }, end: { _ in })
                }
                unsafe told.pointee.end(observers: calls)
                return calls
            }
        }
        return unsafe ToldPost.perform(host, from: known, isSurrounded: false) { told, log in
            unsafe channel.post(
                notification, from: { $0.sender }, except: left, in: log,
                begin: { lane in
                    if lane == nil {
                        if let monitors = monitoring.list { unsafe told.pointee.begin(keeping: monitors, at: told) }
                    } else if let monitors = unsafe host.monitorsForPost {
                        // Kept until the lane is left, which is after the end of the post.
                        unsafe monitors._withUnsafeGuaranteedRef { unsafe told.pointee.begin($0, in: lane, at: told) }
                    }
                },
                end: { unsafe told.pointee.end(observers: $0) })
        }
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

/// The hook of a post that leaves out an observer.
private struct LeavingOut: PostHook {
    let entry: Entry?

    func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool { entry != self.entry }
    func didCall(_ entry: Entry) {}
}
