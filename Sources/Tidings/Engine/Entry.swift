import Synchronization

/// One observer in a chunk, as a word: the address of its closure and, in the low bits, the size of the chunk.
@usableFromInline
struct Entry: Equatable, @unchecked Sendable {  // an address; whoever follows it holds a reference to the chunk
    /// An entry is aligned to 16 bytes. The lowest bit is left to whoever keeps the word.
    static let sparedBit: UInt = 1
    private static let sizeShift: UInt = 1
    private static let lowBits: UInt = 15

    let word: UInt

    init(_ chunk: Chunk, _ index: Int) {
        let size = unsafe chunk.header.pointee.size
        word = unsafe UInt(bitPattern: chunk.entry(index)) | size.rawValue << Entry.sizeShift
    }

    init(word: UInt) { self.word = word & ~Entry.sparedBit }

    /// The address of the closure.
    var address: UInt { word & ~Entry.lowBits }

    var chunk: Chunk {
        let size = Chunk.Size(rawValue: (word & Entry.lowBits) >> Entry.sizeShift) ?? .large
        let base = address & ~UInt(size.alignment - 1)
        guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: base) else {
            preconditionFailure("an entry lies in a chunk")
        }
        return unsafe Chunk(pointer)
    }

    var index: Int {
        let base = unsafe UInt(bitPattern: chunk.address)
        return (Int(address - base) - Chunk.headerSize) / Chunk.entrySize
    }

    /// The memory of the closure.
    var pointer: UnsafeMutableRawPointer { unsafe chunk.entry(index) }

    // MARK: Under the channel's lock

    var isLive: Bool { unsafe chunk.header.pointee.live.load(ordering: .relaxed) & bit != 0 }

    func clear() {
        unsafe chunk.header.pointee.live.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
    }

    /// The roster of a live entry.
    var roster: Roster { unsafe chunk.header.pointee.roster.takeUnretainedValue() }

    /// What was registered; there until the closure is freed.
    var registration: Registration { unsafe chunk.header.pointee.details[index].registration }

    func destroyDetails() {
        unsafe (chunk.header.pointee.details + index).deinitialize(count: 1)
    }

    /// The entry's number in its roster.
    var number: Int { unsafe chunk.header.pointee.first + index }

    /// How many entries for every sender there were when this one was added.
    var position: Int { unsafe chunk.header.pointee.details[index].position }

    var channel: Channel { unsafe chunk.header.pointee.channel.takeUnretainedValue() }

    private var bit: UInt64 { 1 << UInt64(index) }
}

/// What is known about an entry beside its closure.
@usableFromInline
struct EntryDetails {
    /// How many entries for every sender there were when this one was added: for the order among both kinds.
    @usableFromInline let position: Int
    let registration: Registration

    init(position: Int, registration: Registration) {
        self.position = position
        self.registration = registration
    }
}

/// A closure that can be called where it lies: borrowed from memory, it is neither copied nor retained.
@usableFromInline
struct Observer<N: TypedNotification>: ~Copyable {
    @usableFromInline let body: @Sendable (N) -> Void

    @inlinable
    init(_ body: consuming @escaping @Sendable (N) -> Void) { self.body = body }

    @inlinable
    borrowing func callAsFunction(_ notification: borrowing N) { body(notification) }
}
