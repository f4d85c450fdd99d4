import TidingsEngine

@safe
@usableFromInline
// `monitors` is atomic, and the list that it points to is immutable.
final class CenterChannelHost: ChannelHost, @unchecked Sendable {
    let center: ObjectIdentifier
    let monitoring: Monitoring
    let subject: NotificationSubject
    let drops = DropCounter()

    /// A retained reference to the list of monitors, if any. A post claims a lane, where it marks that it is running,
    /// and then loads the list. The list is exchanged under the channel's lock. Load and exchange are sequentially
    /// consistent: either the post loads the new list, or the scan of the lanes after the exchange finds the post, and
    /// the old list is kept until the post ends.
    private let monitors = unsafe Atomic<UnsafeRawPointer?>(nil)

    private let carrying = AtomicByte(false)
    let keepsEnded: Bool
    let isDescribed: Bool
    @usableFromInline let latest: LatestNotifications?

    /// Whether the type is replayed. If so, `latest` stores each post, or refuses it after the center has finished.
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

    func willPost() { monitoring.watchCalls() }

    var hasCarriers: Bool { carrying.load(ordering: .relaxed) }

    /// The list of monitors, valid until the calling post leaves its lane.
    var monitorsForPost: Unmanaged<MonitorList>? {
        unsafe monitors.load(ordering: .sequentiallyConsistent).map { unsafe Unmanaged<MonitorList>.fromOpaque($0) }
    }

    func replaceMonitors() -> MonitorList? {
        let list = monitoring.list
        carrying.store(list?.hasCarriers == true, ordering: .relaxed)
        let address = unsafe list.map { unsafe UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
        let previous = unsafe monitors.exchange(address, ordering: .sequentiallyConsistent)
        return unsafe previous.map { unsafe Unmanaged<MonitorList>.fromOpaque($0).takeRetainedValue() }
    }

    @usableFromInline
    static func of(_ channel: Channel) -> CenterChannelHost {
        // `NativeNotificationCenter.makeChannel` creates all channels, and gives each a host of this type.
        unsafe unsafeDowncast(channel.host, to: CenterChannelHost.self)
    }

    /// Returns the host unretained, so posting threads don't share a reference count. The channel keeps it alive.
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
        // This isn't a precondition, because an optimized program doesn't print a precondition's message.
        fatalError(SenderFilter<Any>.advice(on: type, in: subject.name))
    }

    /// Describes an observer. The parameter is the serial number and not the entry, whose memory may have been freed.
    func describe(_ serial: UInt64, _ details: EntryDetails) -> ObserverDescription {
        ObserverDescription(serial, of: subject, ObserverRegistration(details))
    }

    @usableFromInline
    func describe(_ ended: EndedEntry) -> EndedObservation {
        EndedObservation(observer: describe(ended.serial, ended.details), reason: ObservationEndReason(ended.end))
    }

    func reportQueue(of details: EntryDetails, _ observer: ObserverDescription) {
        ObserverRegistration(details).queue?.report(to: QueueReporter(observer, monitoring))
    }
}

extension ObserverRegistration {
    @usableFromInline package var queue: (any ObserverQueue)? { tie?.fields.queue as? any ObserverQueue }

    /// Discards the notifications queued for an asynchronous observer. Call this method if your own center ends an
    /// observation itself, for example in ``TypedNotificationCenter/removeObservers(of:)``.
    public func discardQueue() { queue?.cancel() }
}
