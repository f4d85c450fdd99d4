/// The host of a channel of the engine: it tells the channel which owners are alive, and the center's monitors which observers
/// were added and have ended.
final class CenterChannelHost: ChannelHost {
    /// The identity of the center.
    let center: ObjectIdentifier
    let monitoring: Monitoring

    /// The notification type, or the name, of the channel.
    let subject: NotificationSubject

    init(center: ObjectIdentifier, monitoring: Monitoring, subject: NotificationSubject) {
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
        let observer = describe(entry, details)
        follow(details, observer)
        for monitor in monitoring.current {
            if let owner = ObserverRegistration(details).owner { monitor.track(observer, owner: owner) }
            monitor.receive(.registered(observer))
        }
    }

    func didEnd(_ entry: Entry, _ details: EntryDetails) {
        monitoring.send(.ended(describe(entry, details)))
    }

    func cannotCompare(_ type: Any.Type) -> Never {
        preconditionFailure(SenderFilter<Any>.advice(on: type, in: subject.name))
    }

    /// The description of an entry's observer, for monitors and lists of observations.
    func describe(_ entry: Entry, _ details: EntryDetails) -> ObserverDescription {
        ObserverDescription(entry.word, of: subject, ObserverRegistration(details))
    }

    /// Makes the queue of an observer, if it has one, report to the monitors.
    func follow(_ details: EntryDetails, _ observer: ObserverDescription) {
        ObserverRegistration(details).queue?.follow(QueueWatcher(observer, monitoring))
    }
}

extension ObserverRegistration {
    /// The observer's queue; `nil` if it runs in the post, or has ended.
    var queue: (any ObserverQueue)? { tie?.fields.queue as? any ObserverQueue }
}
