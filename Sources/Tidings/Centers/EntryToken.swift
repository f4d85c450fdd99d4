/// The handle of an observation of the native center. `token()` turns the handle into the observation's token, which
/// saves an allocation for the token. Releasing a token ends the observation; releasing a handle doesn't.
@usableFromInline
// `word` only changes in `token()`, on a new handle that no other thread has.
final class EntryToken: NotificationToken, NumberedObservation, @unchecked Sendable {
    /// The entry and, in the spare bit, whether this is a token. Each access is a single load or store, so accesses
    /// don't overlap. Exclusivity checks would take a seventh of the time to add and cancel an observer.
    @usableFromInline @exclusivity(unchecked) var word: UInt

    @usableFromInline
    init(_ entry: Entry) {
        unsafe word = entry.word
        super.init()
    }

    deinit {
        if unsafe word & Entry.sparedBit != 0 { entry.release(ending: .released) } else { entry.release() }
    }

    var entry: Entry { Entry(word: unsafe word) }

    // `serial` stays readable after the observation has ended, because this object keeps the entry's memory alive.
    @usableFromInline var numbers: [UInt64] { [entry.serial] }

    @usableFromInline var isCalled: Bool { entry.channel.isCalling(entry) }

    @usableFromInline override var isActive: Bool { entry.channel.isActive(entry) }

    @usableFromInline override func cancel() { entry.cancel(.cancelled) }

    @usableFromInline func end(_ reason: ObservationEndReason) { entry.cancel(reason.entryEnd) }

    @usableFromInline override var observation: any ObserverHandle { self }

    @usableFromInline var center: ObjectIdentifier? {
        let channel = entry.channel
        return channel.isOpen ? CenterChannelHost.of(channel).center : nil
    }

    @usableFromInline
    func drain() async {
        await entry.channel.drain(entry)
    }

    @inlinable
    func token() -> NotificationToken {
        unsafe word = unsafe word | Entry.sparedBit
        return self
    }
}
