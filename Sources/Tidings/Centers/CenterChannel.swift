/// What a channel of the engine knows about the center that has it, and tells it.
final class CenterChannel: ChannelHost {
    /// The center, by identity.
    let center: ObjectIdentifier
    let monitoring: Monitoring

    /// What is observed.
    let subject: NotificationSubject

    init(center: ObjectIdentifier, monitoring: Monitoring, subject: NotificationSubject) {
        self.center = center
        self.monitoring = monitoring
        self.subject = subject
    }

    /// The center's part of one of its channels.
    static func of(_ channel: Channel) -> CenterChannel {
        // Centers alone make channels, with this host.
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

    func didEnd(_ entry: Entry, _ details: EntryDetails) {
        monitoring.send(.ended(describe(entry, details)))
    }

    func cannotCompare(_ type: Any.Type) -> Never {
        preconditionFailure(
            """
            observers of \(subject) are limited to a sender of type \(type), which can be compared where they were registered \
            and not where it is posted, or the other way round, as its conformance to Hashable belongs to a global actor; \
            make the conformance nonisolated, or the notification a MainActorNotification
            """)
    }

    /// The observer of an entry, as monitors know it.
    func describe(_ entry: Entry, _ details: EntryDetails) -> ObserverDescription {
        ObserverDescription(entry.word, of: subject, ObserverRegistration(details))
    }

    /// Has the queue of an observer tell the monitors what becomes of what it is handed.
    func follow(_ details: EntryDetails, _ observer: ObserverDescription) {
        ObserverRegistration(details).queue?.follow(QueueWatcher(observer, monitoring))
    }
}

extension ObserverRegistration {
    /// What waits for the observer, if it has a queue.
    var queue: (any ObserverQueue)? { tie?.fields.queue as? any ObserverQueue }
}

/// An observation of the native center, which is at once its token: one object, with one word of its own.
///
/// As it comes from the center it is a handle, and the observation goes on when nothing refers to it. Made a token, it ends the
/// observation with its own end.
@usableFromInline
final class EntryToken: NotificationToken, ObserverHandle, @unchecked Sendable {  // `word` changes before it is shared
    /// The entry, and in the spared bit whether this is a token. The object holds a reference to the entry's chunk. Only
    /// `token()` changes it, before another thread can have the object.
    private var word: UInt

    /// - Parameter entry: The entry, with a reference to its chunk that the object takes over.
    @usableFromInline
    init(_ entry: Entry) {
        word = entry.word
        super.init()
    }

    deinit {
        if word & Entry.sparedBit != 0 { cancel() }
        entry.release()
    }

    var entry: Entry { Entry(word: word) }

    @usableFromInline override var isActive: Bool { entry.channel.isActive(entry) }

    @usableFromInline override func cancel() { entry.cancel() }

    @usableFromInline override var observation: any ObserverHandle { self }

    @usableFromInline var center: ObjectIdentifier? {
        let channel = entry.channel
        return channel.isOpen ? CenterChannel.of(channel).center : nil
    }

    @usableFromInline
    func drain() async {
        await entry.channel.drain(entry)
    }

    @usableFromInline
    func token() -> NotificationToken {
        word |= Entry.sparedBit
        return self
    }
}
