/// An observation of the native center, which is at once its token: one object, with one word of its own.
///
/// As it comes from the center it is an observation, which goes on when nobody holds it. Made a token, it ends with it.
@usableFromInline
final class EntryToken: NotificationToken, Observation, @unchecked Sendable {
    // `word` is changed only by `token()`, before anybody else has the object.

    /// The entry, and in the spared bit whether this is a token. The object holds a reference to the entry's chunk.
    private var word: UInt

    @usableFromInline
    init(_ entry: Entry) {
        word = entry.word
        super.init()
    }

    deinit {
        if word & Entry.sparedBit != 0 { cancel() }
        entry.chunk.release()
    }

    private var entry: Entry { Entry(word: word) }

    @usableFromInline override var isActive: Bool { entry.channel.isActive(entry) }

    @usableFromInline override func cancel() { entry.channel.cancel(entry) }

    @usableFromInline override var observation: any Observation { self }

    @usableFromInline var center: ObjectIdentifier? { entry.channel.isOpen ? entry.channel.center : nil }

    @usableFromInline func drain() async { await entry.channel.drain(entry) }

    @usableFromInline
    func token() -> NotificationToken {
        word |= Entry.sparedBit
        return self
    }
}
