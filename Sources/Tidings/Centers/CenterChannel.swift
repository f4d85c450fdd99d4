/// The host of a channel of the engine: it tells the channel which owners are alive, and the center's monitors which observers
/// were added and have ended.
final class CenterChannel: ChannelHost {
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
    static func of(_ channel: Channel) -> CenterChannel {
        // `NativeNotificationCenter.makeChannel` makes all channels, and gives each a host of this type.
        unsafe unsafeDowncast(channel.host, to: CenterChannel.self)
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

    func didEnd(_ entry: Entry, _ details: EntryDetails, _ end: EntryEnd) {
        monitoring.send(.ended(describe(entry, details), EndReason(end)))
    }

    func cannotCompare(_ type: Any.Type) -> Never {
        preconditionFailure(SenderFilter<Any>.advice(on: type, in: subject.name))
    }

    /// The description of an entry's observer, for monitors and lists of observations.
    func describe(_ entry: Entry, _ details: EntryDetails) -> ObserverDescription {
        ObserverDescription(entry.serial, of: subject, ObserverRegistration(details))
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
}

/// The handle and the token of an observation of the native center, in one object with one stored word, so that an observer costs
/// one allocation less.
///
/// The center returns it as a handle: its release does not end the observation. `token()` turns it into a token, whose
/// release does.
@usableFromInline
final class EntryToken: NotificationToken, ObserverHandle, @unchecked Sendable {  // `word` changes before it is shared
    /// The entry, and in the spared bit whether this is a token. The object holds a reference to the entry's chunk.
    ///
    /// Only `token()` changes it. `addObserver` calls that on the handle that it has just been given, which no other thread has.
    @usableFromInline var word: UInt

    /// - Parameter entry: The entry, with a reference to its chunk that the object takes over.
    @usableFromInline
    init(_ entry: Entry) {
        word = entry.word
        super.init()
    }

    deinit {
        if word & Entry.sparedBit != 0 { entry.cancel(.released) }
        entry.release()
    }

    var entry: Entry { Entry(word: word) }

    @usableFromInline override var isActive: Bool { entry.channel.isActive(entry) }

    @usableFromInline override func cancel() { entry.cancel() }

    @usableFromInline func end(_ reason: EndReason) { entry.cancel(reason.entryEnd) }

    @usableFromInline override var observation: any ObserverHandle { self }

    @usableFromInline var center: ObjectIdentifier? {
        let channel = entry.channel
        return channel.isOpen ? CenterChannel.of(channel).center : nil
    }

    @usableFromInline
    func drain() async {
        await entry.channel.drain(entry)
    }

    @inlinable
    func token() -> NotificationToken {
        word |= Entry.sparedBit
        return self
    }
}
