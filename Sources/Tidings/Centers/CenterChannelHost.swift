/// The host of a channel of the engine: it tells the channel which owners are alive, and the center's monitors which observers
/// were added and have ended.
final class CenterChannelHost: ChannelHost {
    /// The identity of the center.
    let center: ObjectIdentifier
    let monitoring: Monitoring

    /// The notification type, or the name, of the channel.
    let subject: NotificationSubject

    let keepsEnded: Bool

    init(center: ObjectIdentifier, monitoring: Monitoring, subject: NotificationSubject, keepsEnded: Bool) {
        self.keepsEnded = keepsEnded
        self.center = center
        self.monitoring = monitoring
        self.subject = subject
    }

    /// The host of a channel.
    static func of(_ channel: Channel) -> CenterChannelHost {
        // `NativeNotificationCenter.makeChannel` makes all channels, and gives each a host of this type.
        unsafe unsafeDowncast(channel.host, to: CenterChannelHost.self)
    }

    func isAlive(_ tie: AnyObject) -> Bool { ObserverTie.of(tie).owner?.isAlive != false }

    func didAdd(_ entry: Entry, _ details: EntryDetails) {
        let observer = describe(entry.serial, details)
        follow(details, observer)
        for monitor in monitoring.current {
            if let owner = ObserverRegistration(details).owner { monitor.track(observer, owner: owner) }
            monitor.receive(.registered(observer))
        }
    }

    func didEnd(_ entry: Entry, _ details: EntryDetails, _ end: EntryEnd) {
        monitoring.send(.ended(describe(entry.serial, details), EndReason(end)))
    }

    func cannotCompare(_ type: Any.Type) -> Never {
        // Not a precondition, whose message an optimised program does not print.
        fatalError(SenderFilter<Any>.advice(on: type, in: subject.name))
    }

    /// The description of an entry's observer, for monitors and lists of observations.
    ///
    /// - Parameters:
    ///   - serial: The serial number of the entry, which may have ended, and whose memory may be gone.
    ///   - details: What is known about the observer.
    /// - Returns: The description.
    func describe(_ serial: UInt64, _ details: EntryDetails) -> ObserverDescription {
        ObserverDescription(serial, of: subject, ObserverRegistration(details))
    }

    /// The description of an observer that has ended.
    func describe(_ ended: EndedEntry) -> EndedObservation {
        let observer = ObserverDescription(ended.serial, of: subject, ObserverRegistration(ended.details))
        return EndedObservation(observer: observer, reason: EndReason(ended.end))
    }

    /// Makes the queue of an observer, if it has one, report to the monitors.
    func follow(_ details: EntryDetails, _ observer: ObserverDescription) {
        ObserverRegistration(details).queue?.follow(QueueWatcher(observer, monitoring))
    }
}

extension ObserverRegistration {
    /// The observer's queue; `nil` if it runs in the post, or has ended.
    var queue: (any ObserverQueue)? { tie?.fields.queue as? any ObserverQueue }

    /// Discards what waits for an asynchronous observer.
    ///
    /// A center of your own calls it when it ends an observation by itself, as in
    /// ``TypedNotificationCenter/removeObservers(of:)``.
    public func discardQueue() { queue?.cancel() }
}
