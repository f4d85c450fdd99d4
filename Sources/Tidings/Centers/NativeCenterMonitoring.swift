extension NativeNotificationCenter {
    @usableFromInline
    package func attach(_ monitor: AttachedMonitor) -> MonitorAttachment {
        MonitorAttachment(
            monitor, to: monitoring, calls: { [weak self] in self?.callsUnderWay ?? [] },
            hasPosts: { [weak self] in self?.hasPosts ?? false },
            refresh: { [weak self] in self?.refreshMonitoring($0) })
    }

    /// The running calls and the nonempty queues, including those of observers that ended when the center finished.
    package var callsUnderWay: [CallUnderWay] {
        channels.all().flatMap { channel in
            let host = CenterChannelHost.of(channel)
            return channel.allStatuses().compactMap { status in
                CallUnderWay(host.describe(status.serial, status.details), status.queue)
            }
        }
    }

    package var hasPosts: Bool { channels.all().contains { $0.hasPost } }

    /// Enables or disables the monitoring of all channels. A new monitor starts to track observers that have owners.
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

    /// Makes a post whose type has no channel. Unless the center replays the type, only monitors receive the post.
    @usableFromInline
    func postUnobserved<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if !isServing, replay(of: N.self) != nil { return postReplayed(notification, from: place) }
        guard monitoring.isActive, monitoring.interests.contains(.posts) else { return 0 }
        let channel = unsafe makeChannel(of: N.self)
        // The channel lives as long as the center, which the caller keeps alive.
        return unsafe channel._withUnsafeGuaranteedRef { postUnusual(notification, from: place, in: $0) }
    }

    /// Makes a post that has monitors or conditional observers, that omits observers, or that only monitors receive.
    @usableFromInline
    @inline(never)
    func postUnusual<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<N, N.Sender>,
        reaching reach: PostReach = .everyone, isAdmitted: Bool = true, whenBegun: (() -> Void)? = nil
    ) -> Int {
        channel.endDeadBeforePost()
        if channel.isTold, monitoring.interests.areOfPosts {
            let task = MonitoredTask.current
            if !task.isCausedByMonitor {
                return unsafe CenterChannelHost.reference(of: channel)._withUnsafeGuaranteedRef { host in
                    host.hasCarriers
                        ? postSurrounded(
                            notification, from: place, in: channel, host, task, reaching: reach, isAdmitted, whenBegun)
                        : postTold(
                            notification, from: place, in: channel, host, task, reaching: reach, isAdmitted, whenBegun)
                }
            }
        }
        if !isAdmitted { return 0 }
        var hook = CountingPost(reach: reach, looksAtDetails: channel.mayRefuse)
        return channel.post(notification, from: notification.sender, hook: &hook)
    }

    private func postTold<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<N, N.Sender>, _ host: CenterChannelHost,
        _ task: MonitoredTask, reaching reach: PostReach, _ isAdmitted: Bool, _ whenBegun: (() -> Void)?
    ) -> Int {
        unsafe ToldPost.perform(host.subject, from: place.isKnown ? place : nil, in: task, isSurrounded: false) {
            told, log in
            unsafe channel.post(
                notification, from: { $0.sender }, reaching: reach, isAdmitted: isAdmitted, in: log,
                begin: { lane in
                    if lane == nil {
                        if let monitors = monitoring.list { unsafe told.pointee.begin(keeping: monitors, at: told) }
                    } else if let monitors = unsafe host.monitorsForPost {
                        // The list lives while the post is marked as running in its lane, and so until after `end`.
                        unsafe monitors._withUnsafeGuaranteedRef { unsafe told.pointee.begin($0, in: lane, at: told) }
                    }
                    whenBegun?()
                    if host.isDescribed { unsafe told.pointee.tellPayload(of: notification) }
                },
                end: { unsafe told.pointee.end(observers: $0) })
        }
    }

    private func postSurrounded<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<N, N.Sender>, _ host: CenterChannelHost,
        _ task: MonitoredTask, reaching reach: PostReach, _ isAdmitted: Bool, _ whenBegun: (() -> Void)?
    ) -> Int {
        guard let monitors = monitoring.list else {
            return postTold(notification, from: place, in: channel, host, task, reaching: reach, isAdmitted, whenBegun)
        }
        let known = place.isKnown ? place : nil
        return unsafe ToldPost.perform(host.subject, from: known, in: task, isSurrounded: true) { told, log in
            unsafe told.pointee.begin(monitors, in: nil, at: told)
            whenBegun?()
            if host.isDescribed { unsafe told.pointee.tellPayload(of: notification) }
            var calls = 0
            monitors.surround(post: host.subject, from: known) {
                calls = unsafe channel.post(
                    notification, from: { $0.sender }, reaching: reach, isAdmitted: isAdmitted, in: log,
                    begin: { _ in }, end: { _ in })
            }
            unsafe told.pointee.end(observers: calls)
            return calls
        }
    }

    package func mayBeObserved(_ type: any TypedNotification.Type) -> Bool {
        monitoring.isActive || channels.hasChannel(ObjectIdentifier(type))
    }

    /// Posts a notification, but skips the observer of `observation`. If two centers are joined, that observer would
    /// send the notification back to the other center.
    package func post<N: TypedNotification>(
        _ notification: N, except observation: any ObserverHandle, from place: SourcePlace
    ) -> Int {
        // The channel lives as long as the center, which mustn't be deallocated before the post has ended.
        defer { extendLifetime(self) }
        let reach = PostReach.everyone(but: (observation as? EntryToken)?.entry)
        guard let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? else {
            return replay(of: N.self) == nil ? 0 : postReplayed(notification, from: place, reaching: reach)
        }
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            postUnusual(notification, from: place, in: channel, reaching: reach)
        }
    }
}

private struct CountingPost: PostHook {
    let reach: PostReach
    let looksAtDetails: Bool
    var isConditional = false
    var refusals = 0

    mutating func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool {
        if !reach.includes(entry) { return false }
        if !looksAtDetails { return true }
        isConditional = details().isConditional
        if isConditional { Refusal.isNoted = false }
        return true
    }

    mutating func didCall(_ entry: Entry) {
        if isConditional, Refusal.isNoted { refusals += 1 }
    }
}
