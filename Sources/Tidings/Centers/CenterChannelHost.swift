import TidingsEngine

/// The host of a channel of the engine: it tells the channel which owners are alive, and the center's monitors which observers
/// were added and have ended.
@safe
// `monitors` is atomic, and what it leads to is immutable.
@usableFromInline
final class CenterChannelHost: ChannelHost, @unchecked Sendable {
    /// The identity of the center.
    let center: ObjectIdentifier
    let monitoring: Monitoring

    /// The notification type, or the name, of the channel.
    let subject: NotificationSubject

    /// What was dropped by the observers of the channel.
    let drops = DropCounter()

    /// The monitors as posts read them, retained; `nil` if there are none.
    ///
    /// It is exchanged under the channel's lock, and loaded by a post in its lane, both sequentially consistent: either the post
    /// loads the new list, or the scan of the lanes that follows the exchange finds the post.
    private let monitors = unsafe Atomic<UnsafeRawPointer?>(nil)

    /// Whether one of them carries contexts.
    private let carrying = AtomicByte(false)

    let keepsEnded: Bool

    /// Whether the notifications have words for what they hold.
    let isDescribed: Bool

    /// The latest notifications, if the type of the channel is replayed.
    @usableFromInline let latest: LatestNotifications?

    /// A post of a type that is replayed is made if it was kept.
    var admitsPosts: Bool { latest != nil }

    init(
        center: ObjectIdentifier, monitoring: Monitoring, subject: NotificationSubject, keepsEnded: Bool,
        latest: LatestNotifications?
    ) {
        self.keepsEnded = keepsEnded
        self.latest = latest
        self.center = center
        self.monitoring = monitoring
        self.subject = subject
        isDescribed = subject.type.map(Payload.isDescribed) ?? false
        _ = replaceMonitors()
    }

    deinit {
        if let address = unsafe monitors.exchange(nil, ordering: .acquiring) {
            unsafe Unmanaged<MonitorList>.fromOpaque(address).release()
        }
    }

    let modeLookedAt = DeliveryMode.inPostOnMainActor.number

    /// A call that hangs is found by a timer, which runs while anything is under way.
    func willPost() { monitoring.watchCalls() }

    /// Whether posts are made in the contexts of monitors.
    var hasCarriers: Bool { carrying.load(ordering: .relaxed) }

    /// The monitors. A post that is in a lane may use them until it leaves.
    var monitorsForPost: Unmanaged<MonitorList>? {
        unsafe monitors.load(ordering: .sequentiallyConsistent).map { unsafe Unmanaged<MonitorList>.fromOpaque($0) }
    }

    /// Makes posts see the monitors that there are now.
    ///
    /// - Returns: Those that they saw before.
    func replaceMonitors() -> MonitorList? {
        let list = monitoring.list
        carrying.store(list?.hasCarriers == true, ordering: .relaxed)
        let address = unsafe list.map { unsafe UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
        let previous = unsafe monitors.exchange(address, ordering: .sequentiallyConsistent)
        return unsafe previous.map { unsafe Unmanaged<MonitorList>.fromOpaque($0).takeRetainedValue() }
    }

    /// The host of a channel.
    @usableFromInline
    static func of(_ channel: Channel) -> CenterChannelHost {
        // `NativeNotificationCenter.makeChannel` makes all channels, and gives each a host of this type.
        unsafe unsafeDowncast(channel.host, to: CenterChannelHost.self)
    }

    /// The same, not retained: its reference count is a word to which every thread that posts would write. The channel keeps it.
    static func reference(of channel: Channel) -> Unmanaged<CenterChannelHost> {
        unsafe .passUnretained(of(channel))
    }

    func isAlive(_ tie: AnyObject) -> Bool { ObserverTie.of(tie).owner?.isAlive != false }

    func owner(of tie: AnyObject) -> UInt { ObserverTie.of(tie).owner?.address ?? 0 }

    func didAdd(_ entry: Entry, _ details: EntryDetails) {
        let observer = describe(entry.serial, details)
        reportQueue(of: details, observer)
        for monitor in monitoring.current {
            if let owner = ObserverRegistration(details).owner { monitor.track(observer, owner: owner) }
            monitor.receive(.registered(observer))
        }
    }

    func didEnd(_ entry: Entry, _ details: EntryDetails, _ end: EntryEnd) {
        monitoring.send(.ended(describe(entry.serial, details), ObservationEndReason(end)))
    }

    func cannotCompare(_ type: Any.Type) -> Never {
        // Not a precondition, whose message an optimised program does not print.
        fatalError(SenderFilter<Any>.advice(on: type, in: subject.name))
    }

    /// The description of an entry's observer, for monitors and lists of observations.
    ///
    /// - Parameters:
    ///   - serial: The serial number of the entry, which may have ended, and whose memory may be gone.
    ///   - details: The details of the observer.
    /// - Returns: The description.
    func describe(_ serial: UInt64, _ details: EntryDetails) -> ObserverDescription {
        ObserverDescription(serial, of: subject, ObserverRegistration(details))
    }

    /// The description of an observer that has ended.
    @usableFromInline
    func describe(_ ended: EndedEntry) -> EndedObservation {
        let observer = ObserverDescription(ended.serial, of: subject, ObserverRegistration(ended.details))
        return EndedObservation(observer: observer, reason: ObservationEndReason(ended.end))
    }

    /// Makes the queue of an observer, if it has one, report to the monitors.
    func reportQueue(of details: EntryDetails, _ observer: ObserverDescription) {
        ObserverRegistration(details).queue?.report(to: QueueReporter(observer, monitoring))
    }
}

extension ObserverRegistration {
    /// The observer's queue; `nil` if it runs in the post, or has ended.
    @usableFromInline package var queue: (any ObserverQueue)? { tie?.fields.queue as? any ObserverQueue }

    /// Discards what waits for an asynchronous observer.
    ///
    /// A center of your own calls it when it ends an observation by itself, as in
    /// ``TypedNotificationCenter/removeObservers(of:)``.
    public func discardQueue() { queue?.cancel() }
}
