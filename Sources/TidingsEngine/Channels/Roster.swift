/// The observers of one sender, or of every sender, in the order in which they were registered: a list of chunks.
///
/// Posts read it without a lock, in a lane. It changes under its channel's lock.
@usableFromInline
@safe
package class Roster: @unchecked Sendable {  // fields are atomic or immutable, or change under the channel's lock
    /// What the entries are limited to.
    enum Limit {
        case none
        /// One object.
        case object
        /// One value; the roster is a ``ValueRoster``.
        case value
        /// A value that can be compared with no other, of a type.
        case unmatched(Any.Type)
    }

    /// The first chunk.
    final let head = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

    /// How many entries were ever added, above the bits of ``Flags``: one word, so that a post reads both in one load.
    @usableFromInline final let board = Atomic<Int64>(0)

    /// What a post to the channel has to know before it begins; set on the roster for every sender.
    @usableFromInline
    package struct Flags: OptionSet, Sendable {
        @usableFromInline package let rawValue: Int

        @inlinable
        package init(rawValue: Int) { self.rawValue = rawValue }

        @usableFromInline static let bits: Int64 = 8
        @inlinable static var mask: Int64 { 1 << bits - 1 }

        /// The channel has a live entry, or posts look at more than entries.
        @inlinable static var hasEntries: Flags { Flags(rawValue: 1) }
        /// An entry is limited to a sender.
        @inlinable static var isFiltered: Flags { Flags(rawValue: 2) }
        /// An entry ends with an owner or a sender.
        @inlinable static var hasMortals: Flags { Flags(rawValue: 4) }
        /// The host has marked an entry for one sender as watched, and it may end: posts that do not reach it have to notice.
        @inlinable static var isWatched: Flags { Flags(rawValue: 8) }
        /// A post does more than to call observers: the host is told of it, or it counts which entries refuse it.
        @inlinable static var isTold: Flags { Flags(rawValue: 16) }
        /// An entry is limited to no sender.
        @inlinable static var isShared: Flags { Flags(rawValue: 32) }
        /// The host is told of entries that are added, and that end.
        @inlinable static var isMonitored: Flags { Flags(rawValue: 64) }
        /// The host is told that a post begins, and nothing else of it.
        @inlinable static var isNoticed: Flags { Flags(rawValue: 128) }

        /// What there is to know of entries for every sender that are plain: that there is one.
        static var ofPlain: Flags { Flags(rawValue: 33) }

        /// Whether there is more to know than of plain entries for every sender.
        var areOfMore: Bool { rawValue & ~33 != 0 }

        /// Whether a post does anything of which the host is told. One value: a literal of several takes longer than a post.
        @inlinable var areOfHost: Bool { rawValue & 144 != 0 }
    }

    final let limit: Limit

    /// The object to which the entries are limited, if they are limited to one.
    private final let object: ObjectReference

    /// The type and the address of that object, which can be told without looking at it.
    final let objectName: (type: Any.Type, address: ObjectIdentifier)?

    /// The word under which the roster is indexed: the address of an object, which is even, or the hash of a value, made odd.
    /// Never 0; `nil` if no post can look for the roster.
    final let tag: UInt?

    private final var tail: Chunk?

    /// How many entries were ever added, published or about to be; used under the channel's lock.
    private(set) final var addedCount = 0

    /// How many entries are live; used under the channel's lock.
    final var liveCount = 0

    /// - Parameters:
    ///   - limit: What the entries are limited to.
    ///   - object: The object, if that is the limit.
    ///   - tag: The hash of the value, if that is the limit.
    init(_ limit: Limit, object: AnyObject? = nil, tag: UInt? = nil) {
        self.limit = limit
        self.object = ObjectReference(object)
        objectName = object.map { (type(of: $0), ObjectIdentifier($0)) }
        self.tag = object.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? tag
    }

    deinit { releaseChunks() }

    /// The tag of a value with a hash.
    @inline(__always)
    static func tag(_ hash: Int) -> UInt { UInt(bitPattern: hash) | 1 }

    final var isFiltered: Bool { if case .none = limit { false } else { true } }

    /// The sender as it is told to people.
    var senderForDescription: EntryStatus.Sender {
        switch limit {
        case .none: .everyone
        case .object: objectName.map { .object(type: $0.type, address: $0.address) } ?? .unmatched
        case .value, .unmatched: .unmatched
        }
    }

    /// The type of a value that was found out at run time to be comparable; `nil` for every other sender.
    var typeAtRunTime: Any.Type? { nil }

    /// Whether the sender may die before its observers are cancelled.
    final var isMortal: Bool { if case .object = limit { true } else { false } }

    /// Whether the sender can still post. An object at the address of a dead one is another sender.
    ///
    /// No lock may be held, unless the caller holds the object: see ``ObjectReference/isAlive``.
    final var isAlive: Bool { !isMortal || object.isAlive }

    /// Whether the object at the address of this roster's, which the caller holds, is the roster's.
    @inline(__always)
    final var isOfObjectAtItsAddress: Bool { object.namesItsAddress }

    /// Lets go of the chunks, as there will be no more posts and no more entries.
    final func releaseChunks() {
        unsafe HiddenChunks(first: head.exchange(nil, ordering: .relaxed), count: addedCount).release()
    }

    /// How many entries were ever added. A post reaches those below the number that it finds when it begins.
    @inline(__always)
    final var count: Int { Int(truncatingIfNeeded: board.load(ordering: .sequentiallyConsistent) >> Flags.bits) }

    @inlinable
    @inline(__always)
    final var flags: Flags { Flags(rawValue: Int(truncatingIfNeeded: board.load(ordering: .acquiring) & Flags.mask)) }

    /// The flags, and how many entries were ever added, as of one moment: the one in which a post begins.
    @inlinable
    @inline(__always)
    final var beginning: (flags: Flags, count: Int) {
        let word = board.load(ordering: .sequentiallyConsistent)
        return (
            Flags(rawValue: Int(truncatingIfNeeded: word & Flags.mask)), Int(truncatingIfNeeded: word >> Flags.bits)
        )
    }

    /// Publishes an entry that was added, and the flags; under the channel's lock.
    ///
    /// The release makes the entry's memory visible to the posts whose load of the count, which acquires, reads it.
    final func publish(_ flags: Flags) {
        let word = Int64(addedCount) << Flags.bits | Int64(flags.rawValue)
        // A store that changes nothing would still take the cache line away from every thread that posts.
        if board.load(ordering: .relaxed) != word { board.store(word, ordering: .releasing) }
    }

    // MARK: - Under the channel's lock

    /// Hides all entries, for good, from posts that have not loaded the head yet; see ``Channel/finish(_:)``.
    ///
    /// - Parameter flags: What posts have to know from now on. With them comes a number of entries that no post has begun with.
    /// - Returns: The chunks, to be released when no post can see them.
    final func hide(_ flags: Flags) -> HiddenChunks {
        // The head first: a post that finds these flags must not find the head, or it would call the entries of every sender and
        // not those of its own. Both sequentially consistent, as the lanes are scanned next.
        let hidden = unsafe HiddenChunks(
            first: head.exchange(nil, ordering: .sequentiallyConsistent), count: addedCount)
        addedCount += 1
        let word = Int64(addedCount) << Flags.bits | Int64(flags.rawValue)
        board.store(word, ordering: .sequentiallyConsistent)
        return hidden
    }

    /// Adds an entry, whose closure is moved to it.
    ///
    /// - Returns: The entry, with a reference to its chunk, which has had one for each of its entries from the beginning.
    @inline(__always)
    final func append(
        _ details: EntryDetails, position: Int?, to channel: Channel, _ removed: inout Removed,
        moving observer: MovedObserver
    ) -> Entry {
        let number = addedCount
        var chunk = tail ?? add(chunkFor: number, to: channel, &removed)
        var index = number &- chunk.first
        if unsafe index >= chunk.header.pointee.size.entries {
            (chunk, index) = (add(chunkFor: number, to: channel, &removed), 0)
        }
        // The slot was never used: the closure is moved to raw memory, and then published.
        let memory = unsafe chunk.closureMemory(index)
        unsafe observer.move(to: memory)
        chunk.initialize(index, details, position: position)
        chunk.setLive(index)
        liveCount &+= 1
        addedCount = number &+ 1
        return unsafe Entry(chunk, at: memory)
    }

    /// Makes a chunk that begins with the entry of a number.
    @inline(never)
    private final func add(chunkFor number: Int, to channel: Channel, _ removed: inout Removed) -> Chunk {
        let size = unsafe tail?.header.pointee.size.next ?? (tag == nil ? .medium : .small)
        let chunk = Chunk(size: size, first: number, channel: channel, roster: self)
        link(chunk, &removed)
        return chunk
    }

    /// Puts a chunk at the end of the list, and takes out the one that was there if it is dead.
    private final func link(_ chunk: Chunk, _ removed: inout Removed) {
        let old = tail
        tail = chunk
        guard let old else {
            unsafe head.store(chunk.address, ordering: .sequentiallyConsistent)
            return
        }
        unsafe chunk.header.pointee.previous.store(old.address, ordering: .relaxed)
        unsafe old.header.pointee.next.store(chunk.address, ordering: .sequentiallyConsistent)
        if old.live == 0 { unlinkIfFull(old, &removed) }
    }

    /// Takes a chunk of which no entry is live out of the list, unless it is the last one. A post may still stand on it.
    @inline(__always)
    final func unlinkIfFull(_ chunk: Chunk, _ removed: inout Removed) {
        if chunk.start != tail?.start { unlink(chunk, &removed) }
    }

    @inline(never)
    private final func unlink(_ chunk: Chunk, _ removed: inout Removed) {
        let previous = unsafe chunk.header.pointee.previous.load(ordering: .relaxed)
        let next = unsafe chunk.header.pointee.next.load(ordering: .relaxed)
        if let previous = unsafe previous {
            unsafe Chunk(previous).header.pointee.next.store(next, ordering: .sequentiallyConsistent)
        } else {
            unsafe head.store(next, ordering: .sequentiallyConsistent)
        }
        if let next = unsafe next {
            unsafe Chunk(next).header.pointee.previous.store(previous, ordering: .relaxed)
        }
        removed.parts().chunk = chunk
    }

    /// The live entries.
    final func liveEntries() -> [Entry] {
        var entries: [Entry] = []
        var next = unsafe head.load(ordering: .relaxed)
        while let address = unsafe next {
            let chunk = unsafe Chunk(address)
            var live = chunk.live
            while live != 0 {
                entries.append(Entry(chunk, live.trailingZeroBitCount))
                live &= live - 1
            }
            unsafe next = unsafe chunk.header.pointee.next.load(ordering: .relaxed)
        }
        return entries
    }
}

/// The chunks that a roster had, with its references to them.
@safe
struct HiddenChunks {
    /// The first one.
    private let first: UnsafeMutableRawPointer?

    /// How many entries were ever added to them.
    private let count: Int

    init(first: UnsafeMutableRawPointer?, count: Int) {
        unsafe self.first = unsafe first
        self.count = count
    }

    /// Gives the references back. No post sees the chunks.
    func release() {
        var next = unsafe first
        while let address = unsafe next {
            let chunk = unsafe Chunk(address)
            unsafe next = unsafe chunk.header.pointee.next.load(ordering: .relaxed)
            // With the references of entries that will not be added.
            let end = unsafe chunk.header.pointee.first + chunk.header.pointee.size.entries
            chunk.release(1 + max(0, end - count))
        }
    }
}

/// The observers of one value.
final class ValueRoster<Value>: Roster, @unchecked Sendable {  // the value is immutable
    let value: Value

    override var typeAtRunTime: Any.Type? {
        // A cast to the type that the value has.
        Value.self == AnyHashable.self ? (value as? AnyHashable).map { type(of: $0.base) } : nil
    }

    override var senderForDescription: EntryStatus.Sender {
        .value((value as? AnyHashable)?.base ?? value)
    }

    init(_ value: Value, hash: Int) {
        self.value = value
        super.init(.value, tag: Roster.tag(hash))
    }
}
