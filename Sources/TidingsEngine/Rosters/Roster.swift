public import Synchronization

/// The observers of one sender, or of every sender, in the order in which they were registered: a list of chunks.
///
/// Posts read it without a lock, in a lane. It changes under its channel's lock.
@usableFromInline
@safe
final class Roster: @unchecked Sendable {  // what is not atomic is immutable, or changes under the channel's lock
    /// The first chunk.
    @usableFromInline let head = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

    /// How many entries were ever added, above the bits of ``Flags``: one word, as a post reads both.
    @usableFromInline let board = Atomic<Int>(0)

    /// What a post to the channel has to know before it begins; set on the roster for every sender.
    @usableFromInline
    struct Flags: OptionSet {
        @usableFromInline let rawValue: Int

        @inlinable
        init(rawValue: Int) { self.rawValue = rawValue }

        static let bits = 5

        /// The channel has a live entry, or is monitored.
        @inlinable static var hasEntries: Flags { Flags(rawValue: 1) }
        /// An entry is limited to a sender.
        @inlinable static var isFiltered: Flags { Flags(rawValue: 2) }
        /// An entry ends with an owner or a sender.
        @inlinable static var hasMortals: Flags { Flags(rawValue: 4) }
        /// One of these is not looked at by the posts that do not reach it, but should be.
        @inlinable static var isWatched: Flags { Flags(rawValue: 8) }
        /// Monitors are told of posts.
        @inlinable static var isMonitored: Flags { Flags(rawValue: 16) }
        /// A post has more to do than to call observers.
        @inlinable static var isUnusual: Flags { Flags(rawValue: 8 | 16) }
    }

    /// The sender to which the observers are limited.
    let sender: SenderReference

    /// Whether the observers are limited to a sender.
    let isFiltered: Bool

    /// Whether the sender may die before its observers are cancelled.
    let isMortal: Bool

    /// The tag under which the sender is indexed.
    let tag: UInt?

    private var tail: Chunk?

    /// How many entries were ever added, published or about to be; used under the channel's lock.
    private(set) var addedCount = 0

    /// How many entries are live; used under the channel's lock.
    var liveCount = 0

    init(of identity: SenderIdentity) {
        sender = SenderReference(identity)
        tag = identity.tag
        isFiltered = if case .none = identity { false } else { true }
        isMortal = sender.isMortal
    }

    deinit { releaseChunks() }

    /// Lets go of the chunks, as there will be no more posts and no more entries.
    func releaseChunks() {
        var next = unsafe head.exchange(nil, ordering: .relaxed)
        while let address = unsafe next {
            let chunk = unsafe Chunk(address)
            unsafe next = unsafe chunk.header.pointee.next.load(ordering: .relaxed)
            // With the references of entries that will not be added.
            let end = unsafe chunk.header.pointee.first + chunk.header.pointee.size.entries
            chunk.release(1 + max(0, end - addedCount))
        }
    }

    /// How many entries were ever added. A post reaches those below the number that it finds when it begins.
    @inlinable
    @inline(__always)
    var count: Int { board.load(ordering: .sequentiallyConsistent) >> 5 }

    @inlinable
    @inline(__always)
    var flags: Flags { Flags(rawValue: board.load(ordering: .acquiring) & 31) }

    /// Publishes an entry that was added, and the flags; under the channel's lock.
    func publish(_ flags: Flags) {
        let word = addedCount << Flags.bits | flags.rawValue
        // Not for nothing: a post would have to fetch the line again.
        if board.load(ordering: .relaxed) != word { board.store(word, ordering: .releasing) }
    }

    /// Whether the sender can still post.
    var isAlive: Bool { !isMortal || sender.isAlive }

    /// Adds an entry. `initialize` makes the closure in the entry's memory.
    ///
    /// - Returns: The entry, with a reference to its chunk, which has had one for each of its entries from the beginning.
    func append(
        _ registration: ObserverRegistration, position: Int?, to channel: Channel, _ removed: inout Removed,
        initialize: (UnsafeMutableRawPointer) -> Void
    ) -> Entry {
        let number = addedCount
        let chunk: Chunk
        if let tail = tail, unsafe number - tail.header.pointee.first < tail.header.pointee.size.entries {
            chunk = tail
        } else {
            let size = unsafe tail?.header.pointee.size.next ?? (tag == nil ? .medium : .small)
            chunk = Chunk(size: size, first: number, channel: channel, roster: self)
            link(chunk, &removed)
        }
        let index = unsafe number - chunk.header.pointee.first
        // The slot was never used: the closure is made in raw memory, and then published.
        unsafe initialize(chunk.entry(index))
        chunk.initialize(index, registration, position: position)
        chunk.setLive(index)
        liveCount += 1
        addedCount += 1
        return Entry(chunk, index)
    }

    /// Puts a chunk at the end of the list, and takes out the one that was there if it is dead.
    private func link(_ chunk: Chunk, _ removed: inout Removed) {
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
    func unlinkIfFull(_ chunk: Chunk, _ removed: inout Removed) {
        if chunk.start == tail?.start { return }
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

    /// The live entries; used under the channel's lock.
    func liveEntries() -> [Entry] {
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
