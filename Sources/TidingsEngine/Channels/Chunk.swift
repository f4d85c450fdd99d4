/// A block of memory for the entries of one roster, a list of observers: a header, slots that each hold an observer's
/// closure, and the entries' details. Entries never move.
///
/// A chunk is aligned to a power of two that is at least the size of its header and slots, so that its address can be
/// computed from the address of an entry. It is freed when neither its roster nor a token refers to it.
@usableFromInline
@safe
package struct Chunk {
    @usableFromInline
    package struct Size: Sendable {
        static let small = Size(rawValue: 0)
        static let medium = Size(rawValue: 1)
        static let largest = Size(rawValue: 3)

        let rawValue: UInt

        /// A power of two that is at least the size of everything before the details.
        @inline(__always)
        var alignment: Int { 128 &<< Int(truncatingIfNeeded: rawValue) }

        /// At most 59, so that ``Header/live`` has a bit for each entry.
        var entries: Int { (alignment - 16 - Chunk.headerSize) / Chunk.entrySize }

        @inline(__always)
        var entriesEnd: Int { alignment - 16 }

        var next: Size { Size(rawValue: min(rawValue + 1, Size.largest.rawValue)) }
    }

    /// Mutable fields are atomic. All others are set before the chunk is published.
    @usableFromInline
    @safe
    package struct Header: ~Copyable {
        /// A bit for each entry that is live, and ``Chunk/drainBit``.
        @usableFromInline let live = Atomic<UInt64>(0)
        @usableFromInline let next = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
        /// Accessed under the channel's lock.
        let previous = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
        /// The number of the chunk's first entry in the roster, and the size of the chunk in the lowest two bits.
        @usableFromInline let firstAndSize: Int64
        /// Retained by the chunk.
        let channel: Unmanaged<Channel>
        /// Valid as long as an entry of the chunk is live.
        let roster: Unmanaged<Roster>
        /// One reference from the roster, and one for each slot, which the token of the slot's entry releases.
        let references: AtomicUInt32
        /// Whether an entry has a tie, is watched or is conditional. Set under the channel's lock.
        let hasTies = AtomicByte(false)
        let serial = ObserverSerial.next()

        @inlinable var first: Int { Int(truncatingIfNeeded: firstAndSize >> 2) }
        var size: Size { Size(rawValue: UInt(firstAndSize & 3)) }

        init(size: Size, first: Int, channel: Channel, roster: Roster) {
            firstAndSize = Int64(first) << 2 | Int64(size.rawValue)
            unsafe self.channel = .passRetained(channel)
            unsafe self.roster = .passUnretained(roster)
            references = AtomicUInt32(UInt32(size.entries + 1))
        }
    }

    /// The bit of `live` that makes posts report the end of calls. It isn't the bit of any entry; see ``Size/entries``.
    @usableFromInline static let drainBit: UInt64 = 1 << 63

    #if ALLOCATED_ATOMICS
        // In this configuration, atomic bytes and 32-bit words also have the size of a pointer.
        @usableFromInline static let headerSize = 80
    #else
        @usableFromInline static let headerSize = 64
    #endif
    @usableFromInline static let entrySize = 16

    @usableFromInline let address: UnsafeMutableRawPointer

    @inlinable
    @inline(__always)
    init(_ address: UnsafeMutableRawPointer) {
        unsafe self.address = unsafe address
    }

    init(size: Size, first: Int, channel: Channel, roster: Roster) {
        precondition(
            MemoryLayout<Header>.size <= Chunk.headerSize, "the header of a chunk is larger than Chunk.headerSize")
        let details = Chunk.detailsSize(entries: size.entries, hasPositions: roster.isFiltered)
        // Freed by `release`, with the last reference.
        unsafe address = .allocate(byteCount: size.entriesEnd + details, alignment: size.alignment)
        let header = Header(size: size, first: first, channel: channel, roster: roster)
        unsafe address.bindMemory(to: Header.self, capacity: 1).initialize(to: header)
    }

    /// Valid while the chunk has references, or while a lane is held that was claimed before the chunk was unlinked.
    @inlinable var header: UnsafeMutablePointer<Header> {
        unsafe address.assumingMemoryBound(to: Header.self)
    }

    @inlinable
    @inline(__always)
    func closureMemory(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe address + (Chunk.headerSize &+ index &* Chunk.entrySize)
    }

    @inline(__always)
    var first: Int { unsafe header.pointee.first }

    var start: UInt { unsafe UInt(bitPattern: address) }

    @inline(__always)
    func serial(_ index: Int) -> UInt64 { unsafe header.pointee.serial | UInt64(index) }

    @inline(__always)
    func retain() {
        unsafe header.pointee.references.wrappingAdd(1, ordering: .relaxed)
    }

    /// The chunk's closures and details must have been destroyed before the last reference is released.
    @inline(__always)
    func release(_ count: Int = 1) {
        let left = unsafe header.pointee.references.wrappingSubtract(
            UInt32(count), ordering: .acquiringAndReleasing
        ).newValue
        guard left == 0 else { return }
        let channel = unsafe header.pointee.channel
        unsafe header.deinitialize(count: 1)
        unsafe address.deallocate()
        unsafe channel.release()
    }

    /// Destroys an entry that no post can see.
    func destroy(_ index: Int) {
        // Destroying a closure releases its context, whatever its parameters are, so `Never` stands for any payload.
        unsafe closureMemory(index).assumingMemoryBound(to: Observer<Never>.self).deinitialize(count: 1)
        if hasTies { unsafe detailsMemory(index).deinitialize(count: 1) }
    }

    private var word: UInt64 {
        get { unsafe header.pointee.live.load(ordering: .relaxed) }
        // Sequentially consistent, because the caller reads the lanes next.
        nonmutating set { unsafe header.pointee.live.store(newValue, ordering: .sequentiallyConsistent) }
    }

    var live: UInt64 { word & ~Chunk.drainBit }

    @inline(__always)
    func isLive(_ index: Int) -> Bool { word & (1 << UInt64(index)) != 0 }

    @inline(__always)
    func setLive(_ index: Int) {
        unsafe header.pointee.live.store(word | (1 << UInt64(index)), ordering: .releasing)
    }

    @inline(__always)
    func clearLive(_ index: Int) {
        let live = word & ~(1 << UInt64(index))
        #if arch(x86_64)
            // Lanes are scanned after the unlock. By then, the exchange in the unlock or the fence after it has drained
            // the store buffer. One such instruction is cheaper than two.
            unsafe header.pointee.live.store(live, ordering: .releasing)
        #else
            word = live
        #endif
    }

    func setDrained(_ isDrained: Bool) {
        if isDrained { word |= Chunk.drainBit } else { word &= ~Chunk.drainBit }
    }
}

// The details of each entry and, if the roster belongs to one sender, the entry's position among the entries without a
// sender. They are stored after the entries, so that a registration doesn't write to a cache line that posts wait for.
extension Chunk {
    fileprivate static func detailsSize(entries: Int, hasPositions: Bool) -> Int {
        entries * (MemoryLayout<EntryDetails>.stride + (hasPositions ? MemoryLayout<Int>.stride : 0))
    }

    @inline(__always)
    func detailsMemory(_ index: Int) -> UnsafeMutablePointer<EntryDetails> {
        // The allocation continues after the entries, and this part holds only the details.
        unsafe (address + header.pointee.size.entriesEnd).assumingMemoryBound(to: EntryDetails.self) + index
    }

    private func positionMemory(_ index: Int) -> UnsafeMutablePointer<Int> {
        // The allocation continues after the details, and this part holds only the positions.
        unsafe UnsafeMutableRawPointer(detailsMemory(header.pointee.size.entries)).assumingMemoryBound(to: Int.self)
            + index
    }

    @inline(__always)
    func initialize(_ index: Int, _ details: EntryDetails, position: Int?) {
        // The slot has never been used.
        unsafe detailsMemory(index).initialize(to: details)
        if details.tie != nil || details.isWatched || details.isConditional {
            unsafe header.pointee.hasTies.store(true, ordering: .relaxed)
        }
        if let position { unsafe positionMemory(index).initialize(to: position) }
    }

    /// Valid until the entry is destroyed.
    package func details(_ index: Int) -> EntryDetails { unsafe detailsMemory(index).pointee }

    /// The number of entries without a sender when this entry was added. Only entries with a sender have a position.
    func position(_ index: Int) -> Int { unsafe positionMemory(index).pointee }

    /// If `hasTies` is false, the details of an entry that ends aren't read, which saves a cache miss.
    @inline(__always)
    var hasTies: Bool { unsafe header.pointee.hasTies.load(ordering: .relaxed) }
}
