public import Synchronization

/// One lane: the channel that a post is in, and, in other cache lines, the entry that it is calling.
///
/// Whoever removes something reads the first; only who drains reads the second, which changes with every call.
@usableFromInline
@safe
struct Lane {
    /// Four cache lines: processors fetch lines in pairs.
    @inlinable static var stride: Int { 256 }

    // A processor takes a word for one that was written a moment ago if it lies at the same place of another page, and then
    // waits. What posts write here lies at places where a chunk, which is aligned too, has nothing that posts read.
    @inlinable static var occupantOffset: Int { 56 }
    @inlinable static var turnOffset: Int { 240 }
    @inlinable static var entryOffset: Int { 248 }

    /// Marks of an occupant beside the channel's address, whose low bits are zero: the post has to free what was removed;
    /// it has left, and somebody is to do so in its place.
    private static let marked: UInt = 1
    private static let departed: UInt = 2

    /// Two more low bits of an occupant count the posts, so that the end of one is seen although the next has begun.
    @inlinable static var turns: UInt { 12 }
    @inlinable static var oneTurn: UInt { 4 }

    /// The bits of an occupant that are not the channel's.
    static var lowBits: UInt { marked | departed | turns }

    @usableFromInline let address: UnsafeMutableRawPointer

    @inlinable
    @inline(__always)
    init(_ address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

    /// The address of the channel, with its low bits; 0 if the lane is free.
    @inlinable
    @inline(__always)
    var occupant: UnsafeMutablePointer<Atomic<UInt>> {
        // Initialised in `initialize`; the memory is never freed.
        unsafe (address + Lane.occupantOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    /// The turn of the post in the lane, or of the last one, which only the post changes; in a line that nobody else waits for.
    @inlinable
    @inline(__always)
    var turn: UnsafeMutablePointer<Atomic<UInt>> {
        // As above.
        unsafe (address + Lane.turnOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    /// The address of the entry being called; 0 between calls.
    @inlinable
    @inline(__always)
    var entry: UnsafeMutablePointer<Atomic<UInt>> {
        // As above.
        unsafe (address + Lane.entryOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    func initialize() {
        // Raw memory, which this lane alone has.
        unsafe (address + Lane.occupantOffset).bindMemory(to: Atomic<UInt>.self, capacity: 1).initialize(to: Atomic(0))
        unsafe (address + Lane.turnOffset).bindMemory(to: Atomic<UInt>.self, capacity: 1)
            .initialize(to: Atomic(0))
        unsafe (address + Lane.entryOffset).bindMemory(to: Atomic<UInt>.self, capacity: 1).initialize(to: Atomic(0))
    }

    // MARK: The post

    @inlinable
    @inline(__always)
    func claim(_ channel: UInt) -> Bool {
        let next = unsafe (turn.pointee.load(ordering: .relaxed) &+ Lane.oneTurn) & Lane.turns
        let isClaimed = unsafe occupant.pointee.compareExchange(
            expected: 0, desired: channel | next, ordering: .sequentiallyConsistent
        ).exchanged
        if isClaimed { unsafe turn.pointee.store(next, ordering: .relaxed) }
        return isClaimed
    }

    /// Says which entry is called next, before the post looks whether it is live.
    @inlinable
    @inline(__always)
    func announce(_ entry: UInt) {
        unsafe self.entry.pointee.store(entry, ordering: .relaxed)
    }

    /// Frees the lane, unless it was marked.
    @inlinable
    @inline(__always)
    func leave(_ channel: UInt) -> Bool {
        let word = unsafe channel | turn.pointee.load(ordering: .relaxed)
        return unsafe occupant.pointee.compareExchange(expected: word, desired: 0, ordering: .releasing).exchanged
    }

    /// Leaves a marked lane to whoever frees what was removed.
    func depart(_ channel: UInt) {
        unsafe occupant.pointee.store(channel | Lane.departed, ordering: .sequentiallyConsistent)
    }

    // MARK: Others

    /// The post in the lane, which is another value for the next one; 0 if there is none.
    var post: UInt { unsafe occupant.pointee.load(ordering: .sequentiallyConsistent) & ~Lane.marked }

    /// Whether a post is one to a channel, and has not departed.
    static func isPost(_ post: UInt, to channel: UInt) -> Bool { post & ~Lane.turns == channel }

    // MARK: Others, who hold the channel's lock

    /// Marks the lane if a post to the channel is in it.
    func mark(_ channel: UInt) -> Bool {
        let seen = unsafe occupant.pointee.load(ordering: .sequentiallyConsistent)
        if seen & ~Lane.turns == channel | Lane.marked { return true }
        // If the exchange fails, the post has just left: nobody else changes what is in its lane.
        return unsafe seen & ~Lane.turns == channel
            && occupant.pointee.compareExchange(
                expected: seen, desired: seen | Lane.marked, ordering: .sequentiallyConsistent
            ).exchanged
    }

    /// Whether a post to the channel has departed. Looked at in the one order with the flag that says that some have, which
    /// is taken back before: a lane must not be read early.
    func hasDeparted(_ channel: UInt) -> Bool {
        unsafe occupant.pointee.load(ordering: .sequentiallyConsistent) == channel | Lane.departed
    }

    /// Frees the lane of a post that has departed.
    func clear() {
        unsafe occupant.pointee.store(0, ordering: .releasing)
    }

    /// Whether the post in the lane is calling an entry of the channel, as far as can be seen.
    func isCalling(_ address: UInt, of channel: UInt) -> Bool {
        unsafe entry.pointee.load(ordering: .sequentiallyConsistent) == address
            && occupant.pointee.load(ordering: .sequentiallyConsistent) & ~Lane.lowBits
                == channel
    }
}
