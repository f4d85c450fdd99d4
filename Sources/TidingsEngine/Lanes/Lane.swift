/// One lane: two words in which a post says which channel it is in, and which entry it is calling.
///
/// The first word is a hazard pointer for everything that is reachable from the channel: a thread that takes something out of the
/// channel reads it before freeing. The second one is a hazard pointer for a single entry, which only a drain reads. It changes
/// with every call, so it lies in another cache line: readers of the first word would otherwise wait for it (false sharing).
@usableFromInline
@safe
package struct Lane {
    /// Four cache lines: processors fetch lines in pairs, so one line of distance is not enough against false sharing.
    @inlinable static var stride: Int { 256 }

    // 4K aliasing: a processor that loads from an address compares only its low 12 bits with those of recent stores, and waits
    // for a store that matches although it is to another page. What posts store here lies at places where a chunk, which is
    // aligned as well, has nothing that posts load.
    @inlinable static var occupantOffset: Int { 56 }
    @inlinable static var postNumberOffset: Int { 240 }
    @inlinable static var announcedOffset: Int { 248 }

    /// The low bits of an occupant, which are zero in the channel's address. Marked: the post has to free what was taken out, or
    /// to tell drains, when it leaves. Departed: it has left, and the next holder of the channel's lock does so in its place.
    private static let marked: UInt = 1
    private static let departed: UInt = 2

    /// More low bits of an occupant, which count the posts, so that the end of one is seen although the next has begun. With
    /// words of 64 bits an object is aligned to 16 bytes everywhere, with words of 32 bits to 8 on some systems.
    @inlinable static var numberBits: UInt { UInt.bitWidth == 64 ? 12 : 4 }
    @inlinable static var oneNumber: UInt { 4 }

    /// The bits of an occupant that are not the channel's.
    static var lowBits: UInt { marked | departed | numberBits }

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

    /// The number of the post in the lane, or of the last one, in steps of ``oneNumber``; an occupant has the lowest bits of it.
    /// Only the post reads and changes it, in a line that no other thread waits for.
    @inlinable
    @inline(__always)
    var postNumber: UnsafeMutablePointer<Atomic<UInt>> {
        // As above.
        unsafe (address + Lane.postNumberOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    /// The address of the entry being called; 0 between calls.
    @inlinable
    @inline(__always)
    var announced: UnsafeMutablePointer<Atomic<UInt>> {
        // As above.
        unsafe (address + Lane.announcedOffset).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    func initialize() {
        // Raw memory, which this lane alone has.
        for offset in [Lane.occupantOffset, Lane.postNumberOffset, Lane.announcedOffset] {
            unsafe (address + offset).bindMemory(to: Atomic<UInt>.self, capacity: 1).initialize(to: Atomic(0))
        }
    }

    // MARK: The post

    /// Takes the lane for a post, if it is free.
    ///
    /// Sequentially consistent, as are the loads of the post behind it: a removal stores, and then scans the lanes. Either the
    /// post loads what the removal stored, or the scan sees the claim.
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

    /// Whether the lane seems to be free: a claim that would fail costs more than this look.
    @inlinable var isFree: Bool { unsafe occupant.pointee.load(ordering: .relaxed) == 0 }

    /// Says which entry is called next, or that none is, before the post looks whether it is live.
    ///
    /// Releasing: what the last call wrote comes before this store, and ``call(in:)`` acquires what it reads, so that a drain
    /// which sees that a call has ended also sees what it wrote. The order of this store and the load of the live word behind it
    /// is made by the two fences of ``CallFence``, see ``Channel/drain(_:fence:)``.
    @inline(__always)
    func announce(_ entry: UInt) {
        unsafe announced.pointee.store(entry, ordering: .releasing)
        CallFence.ofPost()
    }

    /// Frees the lane, unless it was marked. Releasing: what the post's calls wrote comes before what a removal or a drain does
    /// that finds the lane free.
    @inlinable
    @inline(__always)
    func leave(_ channel: UInt) -> Bool {
        let word = unsafe channel | postNumber.pointee.load(ordering: .relaxed) & Lane.numberBits
        return unsafe occupant.pointee.compareExchange(expected: word, desired: 0, ordering: .releasing).exchanged
    }

    /// Leaves a marked lane to the next holder of the channel's lock. It comes before the store to the channel's flag of
    /// departures in the one order of sequentially consistent steps; ``hasDeparted(_:)`` reads in the opposite order.
    func depart(_ channel: UInt) {
        unsafe occupant.pointee.store(channel | Lane.departed, ordering: .sequentiallyConsistent)
    }

    /// A number below another one, for the post in the lane: those of posts that follow each other lie evenly between 0 and that
    /// number, by the golden ratio, also if a thread's posts to several channels alternate.
    func place(below count: Int) -> Int {
        let number = unsafe UInt64(truncatingIfNeeded: postNumber.pointee.load(ordering: .relaxed) / Lane.oneNumber)
        return Int(
            truncatingIfNeeded: UInt64(truncatingIfNeeded: count).multipliedFullWidth(
                by: number &* 0x9E37_79B9_7F4A_7C15
            ).high)
    }

    // MARK: Other threads

    /// The post in the lane, which is another value for the next one; 0 if there is none. The scan of a removal, or of a drain:
    /// see ``claim(_:)``.
    var post: UInt { unsafe occupant.pointee.load(ordering: .sequentiallyConsistent) & ~Lane.marked }

    /// Whether a post is one to a channel, and has not departed.
    static func isPost(_ post: UInt, to channel: UInt) -> Bool { post & ~Lane.numberBits == channel }

    // MARK: Other threads, which hold the channel's lock

    /// Marks the lane if a post to the channel is in it.
    func mark(_ channel: UInt) -> Bool {
        let seen = unsafe occupant.pointee.load(ordering: .sequentiallyConsistent)
        if seen & ~Lane.numberBits == channel | Lane.marked { return true }
        // If the exchange fails, the post has just left: only the post itself, and holders of this lock, change a taken lane.
        return unsafe seen & ~Lane.numberBits == channel
            && occupant.pointee.compareExchange(
                expected: seen, desired: seen | Lane.marked, ordering: .sequentiallyConsistent
            ).exchanged
    }

    /// Whether a post to the channel has departed. The holder of the lock takes the flag of departures back, and then loads this:
    /// a post that departs later sets the flag again, and is not overlooked.
    func hasDeparted(_ channel: UInt) -> Bool {
        unsafe occupant.pointee.load(ordering: .sequentiallyConsistent) == channel | Lane.departed
    }

    /// Frees the lane of a post that has departed.
    func clear() {
        unsafe occupant.pointee.store(0, ordering: .releasing)
    }

    /// The address of the entry that a post to the channel has announced to call; 0 if there is none. Both loads acquire: what a
    /// call wrote before the lane said otherwise, see ``announce(_:)`` and ``leave(_:)``, comes before what the caller does next.
    func call(in channel: UInt) -> UInt { numberedCall(in: channel).entry }

    /// The same, with the number of the post, by which it is told apart from those that the lane has later; zeros for none.
    func numberedCall(in channel: UInt) -> (entry: UInt, post: UInt) {
        let announced = unsafe announced.pointee.load(ordering: .sequentiallyConsistent)
        let occupant = unsafe occupant.pointee.load(ordering: .sequentiallyConsistent)
        // After the announcement, which the post made after it had taken the number: it is that of this post, or of a later one.
        let number = unsafe postNumber.pointee.load(ordering: .relaxed)
        return occupant & ~Lane.lowBits == channel && announced != 0 ? (announced, number) : (0, 0)
    }
}
