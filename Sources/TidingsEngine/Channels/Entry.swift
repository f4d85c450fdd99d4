/// One observer in a chunk, packed into a word: the address of its closure and, in the low bits, the size of the chunk.
@usableFromInline
package struct Entry: Equatable, @unchecked Sendable {  // an address; users of an entry keep its chunk
    /// The lowest bit of ``word``. Entries don't use it, so that the owner of a word can store a flag in it.
    @inlinable package static var sparedBit: UInt { 1 }
    private static let sizeShift: UInt = 1
    private static let lowBits: UInt = 15

    @usableFromInline package let word: UInt

    init(_ chunk: Chunk, _ index: Int) {
        let size = unsafe chunk.header.pointee.size
        word = unsafe UInt(bitPattern: chunk.closureMemory(index)) | size.rawValue << Entry.sizeShift
    }

    @inline(__always)
    init(_ chunk: Chunk, at address: UnsafeMutableRawPointer) {
        word = unsafe UInt(bitPattern: address) | chunk.header.pointee.size.rawValue << Entry.sizeShift
    }

    @inlinable
    package init(word: UInt) { self.word = word & ~Entry.sparedBit }

    var address: UInt { word & ~Entry.lowBits }

    @inline(__always)
    package var chunk: Chunk {
        // A chunk is aligned to `size.alignment`, and isn't at address 0.
        let size = Chunk.Size(rawValue: (word & Entry.lowBits) >> Entry.sizeShift)
        guard let base = unsafe UnsafeMutableRawPointer(bitPattern: word & ~UInt(size.alignment - 1)) else {
            preconditionFailure("an entry has no chunk")
        }
        return unsafe Chunk(base)
    }

    var index: Int { index(in: chunk) }

    @inline(__always)
    func index(in chunk: Chunk) -> Int {
        (Int(address - chunk.start) - Chunk.headerSize) / Chunk.entrySize
    }

    /// The channel lives at least as long as the chunk.
    package var channel: Channel { unsafe chunk.header.pointee.channel.takeUnretainedValue() }

    /// Ends the entry. Its closure is freed when no post can see it.
    @inline(__always)
    package func cancel(_ end: EntryEnd = .cancelled) {
        let chunk = chunk
        let index = index(in: chunk)
        // With this check, releasing a cancelled token takes no lock.
        if !chunk.isLive(index) { return }
        // The chunk retains the channel, so the channel can be borrowed.
        unsafe chunk.header.pointee.channel._withUnsafeGuaranteedRef { $0.cancel(self, index, of: chunk, end) }
    }

    package func release(ending end: EntryEnd) {
        cancel(end)
        chunk.release()
    }

    /// Valid while the entry is live. A post that found the entry live can use the details until the post leaves the
    /// lane that it has claimed.
    package var details: EntryDetails { chunk.details(index) }

    /// Unique in the process. The caller must keep the chunk alive, or be in a post that calls the entry.
    package var serial: UInt64 {
        let chunk = chunk
        return chunk.serial(index(in: chunk))
    }

    package func retain() { chunk.retain() }

    package func release() { chunk.release() }

    var isLive: Bool { chunk.isLive(index) }

    var number: Int { unsafe chunk.header.pointee.first + index }

    /// The sort key for the order of registration. An entry without a sender has its number as the key. An entry with a
    /// sender has the number of entries without a sender that were registered earlier. So it sorts after these entries,
    /// and before the entry without a sender that is registered next.
    func position(in roster: Roster) -> (Int, Int) { roster.isFiltered ? (chunk.position(index), 0) : (number, 1) }

    /// Valid while the entry is live.
    var roster: Roster { unsafe chunk.header.pointee.roster.takeUnretainedValue() }
}

/// Keeps the memory of an entry alive, but not its closure.
final class KeptEntry: Sendable {
    let entry: Entry
    let details: EntryDetails
    let roster: Roster

    /// Called under the channel's lock, while the entry is live.
    init(entry: Entry, details: EntryDetails, roster: Roster) {
        self.entry = entry
        self.details = details
        self.roster = roster
        entry.chunk.retain()
    }

    deinit { entry.chunk.release() }

    var position: (Int, Int) { entry.position(in: roster) }
}

extension [KeptEntry] {
    /// The entries in the order in which posts call them, which is the order of registration. No post calls entries of
    /// different senders, so their order is unspecified.
    var inOrder: [KeptEntry] { sorted { $0.position < $1.position } }
}

/// The details of an entry in addition to its closure. They are small, because every entry has details.
@usableFromInline
package struct EntryDetails: @unchecked Sendable {  // immutable, and the tie is `Sendable`
    @usableFromInline package let fileID: StaticString

    /// Defined by the host; states where the observer runs.
    @usableFromInline package let mode: UInt8

    @usableFromInline let traits: UInt8

    @usableFromInline package let line: UInt32

    @usableFromInline package let tie: AnyObject?

    /// Returns the tie without retaining it, because the details at the address keep it alive.
    @inlinable
    @inline(__always)
    package static func tie(at details: UnsafePointer<EntryDetails>) -> Unmanaged<AnyObject>? {
        unsafe details.pointee.tie.map { unsafe .passUnretained($0) }
    }

    /// Creates the details. `tie` is any object of the host; with `hasOwner`, the host uses it to check the owner. For
    /// `isWatched`, see ``WatchList``. With `isConditional`, the closure records rejections with ``Refusal``.
    @inlinable
    @inline(__always)
    package init(
        fileID: StaticString, line: UInt32, mode: UInt8, tie: AnyObject? = nil, hasOwner: Bool = false,
        isWatched: Bool = false, isConditional: Bool = false
    ) {
        self.fileID = fileID
        self.line = line
        self.mode = mode
        self.tie = tie
        traits = (hasOwner ? 1 : 0) | (isWatched ? 2 : 0) | (isConditional ? 4 : 0)
    }

    private init(_ details: EntryDetails, adding trait: UInt8) {
        fileID = details.fileID
        line = details.line
        mode = details.mode
        tie = details.tie
        traits = details.traits | trait
    }

    @usableFromInline package var limited: EntryDetails { EntryDetails(self, adding: 8) }

    /// The details for a conditional entry whose closure counts the rejections itself, so that posts don't count them.
    package var countingRefusals: EntryDetails { EntryDetails(self, adding: 16) }

    /// The details for an entry that begins with a hand-over; see ``TypedChannel/call(_:with:)``.
    package var beginningByHandOver: EntryDetails { EntryDetails(self, adding: 32) }

    package func withMarks(of other: EntryDetails) -> EntryDetails { EntryDetails(self, adding: other.traits & 56) }

    @inlinable package var isLimited: Bool { traits & 8 != 0 }

    var isPlain: Bool { traits == 0 && tie == nil }

    package var hasOwner: Bool { traits & 1 != 0 }
    package var isWatched: Bool { traits & 2 != 0 }
    package var isConditional: Bool { traits & 4 != 0 }
    package var countsRefusals: Bool { traits & 16 != 0 }
    package var beginsByHandOver: Bool { traits & 32 != 0 }
}

/// A closure that is called in place. It is borrowed from memory, so it is neither copied nor retained.
@usableFromInline
package struct Observer<Payload>: ~Copyable {
    @usableFromInline package let body: @Sendable (Payload) -> Void

    @inlinable
    package init(_ body: consuming @escaping @Sendable (Payload) -> Void) { self.body = body }

    @inlinable
    @inline(__always)
    static func move(_ observer: inout Observer?, _ add: (consuming MovedObserver) -> Entry) -> Entry {
        unsafe withUnsafeTemporaryAllocation(of: Observer.self, capacity: 1) { memory in
            guard let observer = observer.take() else { preconditionFailure("an observer was added twice") }
            // The memory has the size of one observer. It is uninitialized before this line and after the move.
            unsafe memory.initializeElement(at: 0, to: observer)
            guard let address = memory.baseAddress else { preconditionFailure("allocated memory has no address") }
            return unsafe add(MovedObserver(address))
        }
    }

    @inlinable
    @inline(__always)
    borrowing func callAsFunction(_ payload: borrowing Payload) { body(payload) }
}

/// An observer in the caller's memory, without its parameter type, to be moved to its entry.
@usableFromInline
@safe
package struct MovedObserver {
    private let memory: UnsafeMutableRawPointer

    @usableFromInline
    init<Payload>(_ memory: UnsafeMutablePointer<Observer<Payload>>) {
        unsafe self.memory = UnsafeMutableRawPointer(memory)
    }

    /// Moves the observer to an entry's memory. Must be called once.
    @inline(__always)
    func move(to entry: UnsafeMutableRawPointer) {
        // A closure is two words, whatever its parameters are, and is bitwise movable.
        unsafe entry.copyMemory(from: memory, byteCount: MemoryLayout<Observer<Never>>.size)
    }
}

package enum ObserverSerial {
    private static let taken = Atomic<UInt64>(0)

    /// Returns the first of 64 unused numbers, for the entries of a chunk. Relaxed: the numbers only have to be unique.
    package static func next() -> UInt64 { taken.wrappingAdd(64, ordering: .relaxed).newValue }
}
