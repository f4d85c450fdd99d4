extension NativeNotificationCenter {
    @usableFromInline
    package func attach(_ monitor: AttachedMonitor) -> MonitorAttachment {
        MonitorAttachment(monitor, to: monitoring, calls: { [weak self] in self?.callsUnderWay ?? [] }) {
            [weak self] new in
            self?.refreshMonitoring(new)
        }
    }

    /// The calls that are running, and the queues in which something waits, also of observers that have ended as the center finished.
    package var callsUnderWay: [CallUnderWay] {
        channels.all().flatMap { channel in
            let host = CenterChannelHost.of(channel)
            return (channel.statuses() + channel.finishing().entries).compactMap { status in
                let observer = host.describe(status.serial, status.details)
                if let queue = ObserverRegistration(status.details).queue?.status {
                    return CallUnderWay(
                        observer, isRunning: queue.isRunning, queued: queue.queued, queue.calls,
                        isStored: queue.isStored)
                }
                var calls = CallStatus()
                calls.call = status.call
                return CallUnderWay(observer, isRunning: status.isCalled, queued: 0, calls)
            }
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
                return (monitoring.interests, replaced)
            }
            for (serial, details) in known {
                let observer = host.describe(serial, details)
                host.reportQueue(of: details, observer)
                if let new, let owner = ObserverRegistration(details).owner { new.track(observer, owner: owner) }
            }
        }
    }

    /// Posts a notification of a type that has no channel, as it was never observed. Only monitors learn of it.
    @usableFromInline
    func postUnobserved<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if !monitoring.isActive { return 0 }
        if !monitoring.interests.contains(.posts) { return 0 }
        let channel = unsafe makeChannel(of: N.self)
        // The channel lives as long as the center, which the caller keeps.
        return unsafe channel._withUnsafeGuaranteedRef { postUnusual(notification, from: place, in: $0) }
    }

    /// Posts a notification whose channel is monitored, or that leaves out an observer, or that was refused: monitors are told of that as of
    /// a post to nobody.
    @usableFromInline
    @inline(never)
    func postUnusual<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<N, N.Sender>, except left: Entry? = nil,
        isAdmitted: Bool = true, whenBegun: (() -> Void)? = nil
    ) -> Int {
        channel.endDeadBeforePost()
        if channel.isTold, monitoring.interests.areOfPosts {
            let task = MonitoredTask.current
            if !task.isCausedByMonitor {
                monitoring.watchCalls()
                return unsafe CenterChannelHost.reference(of: channel)._withUnsafeGuaranteedRef { host in
                    host.hasCarriers
                        ? postSurrounded(
                            notification, from: place, in: channel, host, task, except: left, isAdmitted, whenBegun)
                        : postTold(
                            notification, from: place, in: channel, host, task, except: left, isAdmitted, whenBegun)
                }
            }
        }
        if !isAdmitted { return 0 }
        var hook = CountingPost(except: left, looksAtDetails: channel.mayRefuse)
        return channel.post(notification, from: notification.sender, hook: &hook)
    }

    /// Makes a post of which monitors are told.
    private func postTold<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<N, N.Sender>, _ host: CenterChannelHost,
        _ task: MonitoredTask, except left: Entry?, _ isAdmitted: Bool, _ whenBegun: (() -> Void)?
    ) -> Int {
        unsafe ToldPost.perform(host.subject, from: place.isKnown ? place : nil, in: task, isSurrounded: false) {
            told, log in
            unsafe channel.post(
                notification, from: { $0.sender }, except: left, isAdmitted: isAdmitted, in: log,
                begin: { lane in
                    if lane == nil {
                        if let monitors = monitoring.list { unsafe told.pointee.begin(keeping: monitors, at: told) }
                    } else if let monitors = unsafe host.monitorsForPost {
                        // Kept until the lane is left, which is after the end of the post.
                        unsafe monitors._withUnsafeGuaranteedRef { unsafe told.pointee.begin($0, in: lane, at: told) }
                    }
                    whenBegun?()
                    if host.isDescribed { unsafe told.pointee.tellPayload(of: notification) }
                },
                end: { unsafe told.pointee.end(observers: $0) })
        }
    }

    /// Makes a post of which monitors are told, in the contexts of those that carry one.
    private func postSurrounded<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<N, N.Sender>, _ host: CenterChannelHost,
        _ task: MonitoredTask, except left: Entry?, _ isAdmitted: Bool, _ whenBegun: (() -> Void)?
    ) -> Int {
        guard let monitors = monitoring.list else {
            return postTold(notification, from: place, in: channel, host, task, except: left, isAdmitted, whenBegun)
        }
        let known = place.isKnown ? place : nil
        return unsafe ToldPost.perform(host.subject, from: known, in: task, isSurrounded: true) { told, log in
            unsafe told.pointee.begin(monitors, in: nil, at: told)
            whenBegun?()
            if host.isDescribed { unsafe told.pointee.tellPayload(of: notification) }
            var calls = 0
            monitors.surround(post: host.subject, from: known) {
                calls = unsafe channel.post(
                    notification, from: { $0.sender }, except: left, isAdmitted: isAdmitted, in: log, begin: { _ in },
                    end: { _ in })
            }
            unsafe told.pointee.end(observers: calls)
            return calls
        }
    }

    /// Whether a post of a type may reach anybody, also a monitor. If not, the notification need not be made.
    package func mayBeObserved(_ type: any TypedNotification.Type) -> Bool {
        monitoring.isActive || channels.hasChannel(ObjectIdentifier(type))
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
        let left = (observation as? EntryToken)?.entry
        guard let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? else {
            return N.replay.isNone ? 0 : postReplayed(notification, from: place, except: left)
        }
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            postUnusual(notification, from: place, in: channel, except: left)
        }
    }
}

/// A post of which no monitor is told. It leaves out an observer, and does not count those whose condition refuses the
/// notification.
private struct CountingPost: PostHook {
    private let left: Entry?

    /// Whether there may be observers with a condition.
    private let looksAtDetails: Bool

    /// Whether the observer that is called has a condition.
    private var isConditional = false

    /// How many observers were called whose condition refused the notification.
    private(set) var refusals = 0

    init(except left: Entry?, looksAtDetails: Bool) {
        self.left = left
        self.looksAtDetails = looksAtDetails
    }

    mutating func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool {
        if entry == left { return false }
        if !looksAtDetails { return true }
        isConditional = details().isConditional
        if isConditional { Refusal.isNoted = false }
        return true
    }

    mutating func didCall(_ entry: Entry) {
        if isConditional, Refusal.isNoted { refusals += 1 }
    }
}
