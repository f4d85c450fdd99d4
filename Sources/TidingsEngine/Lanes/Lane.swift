/// One lane: two words in which a post announces its channel and the entry that it is calling.
///
/// The first word is a hazard pointer for everything that is reachable from the channel. The second word is a hazard
/// pointer for a single entry. The second word changes with every call, so it lies in a different cache line.
@usableFromInline
@safe
package struct Lane {
    /// Four cache lines, in bytes: a pair for each of the two words, because processors fetch lines in pairs.
    @inlinable static var stride: Int { 256 }

    // These offsets avoid 4K aliasing: a processor compares only the low 12 bits of a load's address with those of
    // recent stores, and waits for a matching store even if the store is to another page. Chunks are aligned like
    // lanes, but posts that only call observers load nothing at these offsets of a small or medium chunk.
    @inlinable static var occupantOffset: Int { 56 }
    @inlinable static var postNumberOffset: Int { 240 }
    @inlinable static var announcedOffset: Int { 248 }

    /// The lowest two bits of ``occupant``, which are zero in the channel's address. `marked`: when the post leaves, it
    /// has to free the removed memory, or notify drains. `departed`: the post has left, and the next holder of the
    /// channel's lock does that work in its place.
    private static let marked: UInt = 1
    private static let departed: UInt = 2

    /// The bits of ``occupant`` that count posts. They show that a post has ended, even if the next post in the lane
    /// has begun. They are zero in the channel's address, because objects are aligned to 16 bytes with 64-bit words,
    /// and to at least 8 bytes with 32-bit words.
    @inlinable static var numberBits: UInt { UInt.bitWidth == 64 ? 12 : 4 }
    @inlinable static var oneNumber: UInt { 4 }

    static var lowBits: UInt { marked | departed | numberBits }

    @usableFromInline let address: UnsafeMutableRawPointer

    @inlinable
    @inline(__always)
    init(_ address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

    /// The address of the channel, combined with the low bits; 0 if the lane is free.
    @inlinable
    @inline(__always)
    var occupant: UnsafeMutablePointer<Atomic<UInt>> {
        // Initialized in `initialize`; the memory is never freed.
        unsafe (address + Lane.occupantOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    /// The number of the current or last post in the lane, in steps of ``oneNumber``. The occupant contains the
    /// number's lowest bits. Only the post in the lane changes the number, in a cache line that no other post uses. If
    /// other posts use the lane between the load and the exchange of ``claim(_:)``, the claiming post repeats one of
    /// their numbers. Reclamation and drains don't depend on unique numbers: a repeated number only prolongs a wait.
    @inlinable
    @inline(__always)
    var postNumber: UnsafeMutablePointer<Atomic<UInt>> {
        // Initialized in `initialize`; the memory is never freed.
        unsafe (address + Lane.postNumberOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    /// The address of the entry that is being called, or was called last; 0 after the post has left a chunk.
    @inlinable
    @inline(__always)
    var announced: UnsafeMutablePointer<Atomic<UInt>> {
        // Initialized in `initialize`; the memory is never freed.
        unsafe (address + Lane.announcedOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    func initialize() {
        for offset in [Lane.occupantOffset, Lane.postNumberOffset, Lane.announcedOffset] {
            unsafe (address + offset).bindMemory(to: Atomic<UInt>.self, capacity: 1).initialize(to: Atomic(0))
        }
    }

    /// Claims the lane for a post. Sequentially consistent, like the post's later loads, because a removal stores and
    /// then scans the lanes: either the post loads what the removal stored, or the scan sees the claim.
    @inlinable
    @inline(__always)
    func claim(_ channel: UInt) -> Bool {
        let next = unsafe postNumber.pointee.load(ordering: .relaxed) &+ Lane.oneNumber
        let isClaimed = unsafe occupant.pointee.compareExchange(
            expected: 0, desired: channel | next & Lane.numberBits, ordering: .sequentiallyConsistent
        ).exchanged
        if isClaimed { unsafe postNumber.pointee.store(next, ordering: .relaxed) }
        return isClaimed
    }

    /// Whether the lane is free. This check costs less than a claim that fails.
    @inlinable var isFree: Bool { unsafe occupant.pointee.load(ordering: .relaxed) == 0 }

    /// Announces the next entry before the post checks whether that entry is live, or 0 when the post leaves a chunk.
    ///
    /// Releasing: everything that the last call wrote comes before this store, and ``numberedCall(in:)`` acquires the
    /// value. So a drain that sees the end of a call also sees what the call wrote. The order of this store and the
    /// later load of the live word comes from the two fences of ``CallFence``; see ``Channel/drain(_:fence:)``.
    @inline(__always)
    func announce(_ entry: UInt) {
        unsafe announced.pointee.store(entry, ordering: .releasing)
        CallFence.ofPost()
    }

    /// Frees the lane, unless it was marked. Releasing: everything that the post's calls wrote comes before what a
    /// removal or a drain does after finding the lane free.
    @inlinable
    @inline(__always)
    func leave(_ channel: UInt) -> Bool {
        let word = unsafe channel | postNumber.pointee.load(ordering: .relaxed) & Lane.numberBits
        return unsafe occupant.pointee.compareExchange(expected: word, desired: 0, ordering: .releasing).exchanged
    }

    /// Leaves a marked lane to the next holder of the channel's lock. Sequentially consistent: this store comes before
    /// the store to the departure flag, and the flag is cleared before ``hasDeparted(_:)`` loads the word.
    func depart(_ channel: UInt) {
        unsafe occupant.pointee.store(channel | Lane.departed, ordering: .sequentiallyConsistent)
    }

    /// Returns a number below `count` for the post in the lane. The golden ratio spreads the numbers of consecutive
    /// posts evenly, even if a thread alternates between channels.
    func place(below count: Int) -> Int {
        let number = unsafe UInt64(truncatingIfNeeded: postNumber.pointee.load(ordering: .relaxed) / Lane.oneNumber)
        return Int(
            truncatingIfNeeded: UInt64(truncatingIfNeeded: count).multipliedFullWidth(
                by: number &* 0x9E37_79B9_7F4A_7C15
            ).high)
    }

    /// Identifies the post in the lane; 0 if the lane is free. For the memory order, see ``claim(_:)``.
    var post: UInt { unsafe occupant.pointee.load(ordering: .sequentiallyConsistent) & ~Lane.marked }

    static func isPost(_ post: UInt, to channel: UInt) -> Bool { post & ~Lane.numberBits == channel }

    func mark(_ channel: UInt) -> Bool {
        let seen = unsafe occupant.pointee.load(ordering: .sequentiallyConsistent)
        if seen & ~Lane.numberBits == channel | Lane.marked { return true }
        // If the exchange fails, the post has left, because all other changes are made under the channel's lock.
        return unsafe seen & ~Lane.numberBits == channel
            && occupant.pointee.compareExchange(
                expected: seen, desired: seen | Lane.marked, ordering: .sequentiallyConsistent
            ).exchanged
    }

    /// Whether a post to the channel has departed. The caller clears the departure flag first; later departures set it.
    func hasDeparted(_ channel: UInt) -> Bool {
        unsafe occupant.pointee.load(ordering: .sequentiallyConsistent) == channel | Lane.departed
    }

    func clear() {
        unsafe occupant.pointee.store(0, ordering: .releasing)
    }

    /// Returns the address of the entry that a post to the channel has announced, and the post's number; zeros if there
    /// is none. The first two loads acquire, so everything that a call wrote before the lane changed (see
    /// ``announce(_:)`` and ``leave(_:)``) comes before what the caller does next.
    func numberedCall(in channel: UInt) -> (entry: UInt, post: UInt) {
        let announced = unsafe announced.pointee.load(ordering: .sequentiallyConsistent)
        let occupant = unsafe occupant.pointee.load(ordering: .sequentiallyConsistent)
        // The number is stored before the announcement and loaded after it, so it is this post's number or a later one.
        let number = unsafe postNumber.pointee.load(ordering: .relaxed)
        return occupant & ~Lane.lowBits == channel && announced != 0 ? (announced, number) : (0, 0)
    }
}
