/// An observation of the native center, which is at once its token: one object, with one word of its own.
///
/// As it comes from the center it is an observation, which goes on when nobody holds it. Made a token, it ends with it.
@usableFromInline
final class EntryToken: NotificationToken, ObserverHandle, @unchecked Sendable {  // `word` changes before it is shared
    /// The entry, and in the spared bit whether this is a token. The object holds a reference to the entry's chunk. Only
    /// `token()` changes it, before anybody else has the object.
    private var word: UInt

    /// - Parameters:
    ///   - entry: The entry, with a reference to its chunk that the object takes over.
    ///   - isToken: Whether the observation ends with the object.
    @usableFromInline
    init(_ entry: Entry, isToken: Bool) {
        word = entry.word | (isToken ? Entry.sparedBit : 0)
        super.init()
    }

    deinit {
        if word & Entry.sparedBit != 0 { cancel() }
        entry.chunk.release()
    }

    var entry: Entry { Entry(word: word) }

    @usableFromInline override var isActive: Bool { entry.withChannel { $0.isActive(entry) } }

    @usableFromInline override func cancel() { entry.withChannel { $0.cancel(entry) } }

    @usableFromInline override var observation: any ObserverHandle { self }

    @usableFromInline var center: ObjectIdentifier? { entry.withChannel { $0.isOpen ? $0.center : nil } }

    @usableFromInline
    func drain() async {
        let channel = entry.withChannel { $0 }
        await channel.drain(entry)
    }

    @usableFromInline
    func token() -> NotificationToken {
        word |= Entry.sparedBit
        return self
    }
}
