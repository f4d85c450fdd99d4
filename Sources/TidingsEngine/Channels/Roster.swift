/// A linked list of chunks, which contain either the entries of one sender, or the entries without a sender, which
/// every post reaches. The entries are in the order of registration. A post reads the list without a lock, protected by
/// its lane; see ``Lanes``. The list changes under its channel's lock.
@usableFromInline
@safe
package class Roster: @unchecked Sendable {  // fields are atomic or immutable, or change under the channel's lock
    enum Limit {
        case none
        case object
        /// The roster is a ``ValueRoster``.
        case value
        /// A value of a type whose values can't be compared.
        case unmatched(Any.Type)
    }

    final let head = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

    /// The low bits contain the ``Flags``. The other bits contain the number of entries that were ever published. A
    /// post reads both in one load.
    @usableFromInline final let board = Atomic<Int64>(0)

    /// The flags that posts read. ``Channel/everyone``, the roster without a sender, can have any flag. The rosters of
    /// senders only have ``isSingle``.
    @usableFromInline
    package struct Flags: OptionSet, Sendable {
        @usableFromInline package let rawValue: Int

        @inlinable
        package init(rawValue: Int) { self.rawValue = rawValue }

        @usableFromInline static let bits: Int64 = 9
        @inlinable static var mask: Int64 { 1 << bits - 1 }

        @inlinable static var hasEntries: Flags { Flags(rawValue: 1) }
        @inlinable static var isFiltered: Flags { Flags(rawValue: 2) }
        @inlinable static var hasMortals: Flags { Flags(rawValue: 4) }
        /// There is a watched entry, which even posts that don't reach it have to check; see ``WatchList``.
        @inlinable static var isWatched: Flags { Flags(rawValue: 8) }
        /// A post does more than call observers: the host receives the post, or the post counts rejected payloads.
        @inlinable static var isTold: Flags { Flags(rawValue: 16) }
        @inlinable static var isShared: Flags { Flags(rawValue: 32) }
        @inlinable static var isMonitored: Flags { Flags(rawValue: 64) }
        /// The host receives the beginning of a post and, without `isTold`, nothing else about it.
        @inlinable static var isNoticed: Flags { Flags(rawValue: 128) }

        /// Exactly one of the roster's counted entries was live when the flags were published.
        @inlinable static var isSingle: Flags { Flags(rawValue: 256) }

        // The masks of several flags are numbers, because evaluating an option-set literal takes longer than a post.

        /// `hasEntries` and `isShared` if there are entries, and `isSingle` if there is exactly one.
        static func ofPlain(live: Int) -> Flags { Flags(rawValue: live == 1 ? 289 : live > 1 ? 33 : 0) }

        var areOfMore: Bool { rawValue & ~289 != 0 }

        /// `isShared` or `isWatched`: a post from a sender may have to call or check entries of other rosters.
        var areShared: Bool { rawValue & 40 != 0 }

        var isSingleAndUnwatched: Bool { rawValue & 264 == 256 }

        /// `isTold` or `isNoticed`: a post has to do more than call observers.
        @inlinable var areOfHost: Bool { rawValue & 144 != 0 }
    }

    final let limit: Limit

    private final let object: ObjectReference

    /// The type and the address of the object, which describe the object without an access to it.
    final let objectName: (type: Any.Type, address: ObjectIdentifier)?

    /// The key of the roster in the index: the address of an object, which is even, or the hash of a value, made odd.
    /// Never 0; `nil` if no post can look up the roster.
    final let tag: UInt?

    private final var tail: Chunk?

    /// The number of entries that were ever added, even if not yet published. Accessed under the channel's lock.
    private(set) final var addedCount = 0

    /// Accessed under the channel's lock.
    final var liveCount = 0

    init(_ limit: Limit, object: AnyObject? = nil, tag: UInt? = nil) {
        self.limit = limit
        self.object = ObjectReference(object)
        objectName = object.map { (type(of: $0), ObjectIdentifier($0)) }
        self.tag = object.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? tag
    }

    deinit { releaseChunks() }

    @inline(__always)
    static func tag(_ hash: Int) -> UInt { UInt(bitPattern: hash) | 1 }

    final var isFiltered: Bool { if case .none = limit { false } else { true } }

    var senderForDescription: EntryStatus.Sender {
        switch limit {
        case .none: .everyone
        case .object: objectName.map { .object(type: $0.type, address: $0.address) } ?? .unmatched
        case .value, .unmatched: .unmatched
        }
    }

    /// The type of a value that was found at run time to be comparable; `nil` for every other sender.
    var typeAtRunTime: Any.Type? { nil }

    final var isMortal: Bool { if case .object = limit { true } else { false } }

    /// Whether the sender can still post. An object at the address of a dead one is a different sender.
    final var isAlive: Bool { !isMortal || object.isAlive }

    @inline(__always)
    final var isOfObjectAtItsAddress: Bool { object.namesItsAddress }

    final func releaseChunks() {
        unsafe HiddenChunks(first: head.exchange(nil, ordering: .relaxed), count: addedCount).release()
    }

    /// The number of entries that were ever published. A post only reaches entries that were counted when it began.
    @inline(__always)
    final var count: Int { Int(truncatingIfNeeded: board.load(ordering: .sequentiallyConsistent) >> Flags.bits) }

    @inlinable
    @inline(__always)
    final var flags: Flags { Flags(rawValue: Int(truncatingIfNeeded: board.load(ordering: .acquiring) & Flags.mask)) }

    @usableFromInline
    struct Beginning {
        @usableFromInline let word: Int64

        @inlinable
        init(word: Int64) { self.word = word }

        @inlinable var flags: Flags { Flags(rawValue: Int(truncatingIfNeeded: word & Flags.mask)) }
        @inlinable var count: Int { Int(truncatingIfNeeded: word >> Flags.bits) }

        @inlinable var parts: (flags: Flags, count: Int) { (flags, count) }
    }

    @inlinable
    @inline(__always)
    final var beginning: Beginning { Beginning(word: board.load(ordering: .sequentiallyConsistent)) }

    /// Publishes the flags and ``addedCount``. Called under the channel's lock. The store is releasing, so that an
    /// acquiring load of the value also sees the memory of the added entries.
    final func publish(_ flags: Flags) {
        let word = Int64(addedCount) << Flags.bits | Int64(flags.rawValue)
        // A store that changes nothing would still invalidate the cache line of every thread that posts.
        if board.load(ordering: .relaxed) != word { board.store(word, ordering: .releasing) }
    }

    // MARK: - Under the channel's lock

    /// Hides all entries from posts that haven't loaded the head; see ``Channel/finish(_:)``. Publishes the flags with
    /// a higher number of entries than any post has loaded. Returns the chunks, to be released when no post can see
    /// them.
    final func hide(_ flags: Flags) -> HiddenChunks {
        // The head is cleared first. Otherwise a post could load the new flags and the old head, and call only the
        // entries without a sender. Both stores are sequentially consistent, because the lanes are scanned next.
        let hidden = unsafe HiddenChunks(
            first: head.exchange(nil, ordering: .sequentiallyConsistent), count: addedCount)
        addedCount += 1
        let word = Int64(addedCount) << Flags.bits | Int64(flags.rawValue)
        board.store(word, ordering: .sequentiallyConsistent)
        return hidden
    }

    /// Appends an entry. The caller has to release the entry's reference to its chunk.
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
        // The slot is raw memory that has never been used. It is published after the move.
        let memory = unsafe chunk.closureMemory(index)
        unsafe observer.move(to: memory)
        chunk.initialize(index, details, position: position)
        chunk.setLive(index)
        liveCount &+= 1
        addedCount = number &+ 1
        return unsafe Entry(chunk, at: memory)
    }

    @inline(never)
    private final func add(chunkFor number: Int, to channel: Channel, _ removed: inout Removed) -> Chunk {
        let size = unsafe tail?.header.pointee.size.next ?? (tag == nil ? .medium : .small)
        let chunk = Chunk(size: size, first: number, channel: channel, roster: self)
        link(chunk, &removed)
        return chunk
    }

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

    /// Unlinks `chunk`, which has no live entry, unless it is the last chunk, to which entries may still be added.
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

@safe
struct HiddenChunks {
    private let first: UnsafeMutableRawPointer?

    private let count: Int

    init(first: UnsafeMutableRawPointer?, count: Int) {
        unsafe self.first = unsafe first
        self.count = count
    }

    func release() {
        var next = unsafe first
        while let address = unsafe next {
            let chunk = unsafe Chunk(address)
            unsafe next = unsafe chunk.header.pointee.next.load(ordering: .relaxed)
            // A chunk starts with a reference from the roster and one for each slot. This releases the roster's
            // reference and those of the slots that stay empty.
            let end = unsafe chunk.header.pointee.first + chunk.header.pointee.size.entries
            chunk.release(1 + max(0, end - count))
        }
    }
}

final class ValueRoster<Value>: Roster, @unchecked Sendable {  // the value is immutable
    let value: Value

    override var typeAtRunTime: Any.Type? {
        // The cast is to the static type of the value, so it always succeeds.
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
