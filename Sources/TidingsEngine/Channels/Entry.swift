/// One observer in a chunk, as a word: the address of its closure and, in the low bits, the size of the chunk.
@usableFromInline
package struct Entry: Equatable, @unchecked Sendable {  // an address; its user keeps the chunk
    /// An entry is aligned to 16 bytes. The lowest bit is free for the owner of the word.
    @inlinable package static var sparedBit: UInt { 1 }
    private static let sizeShift: UInt = 1
    private static let lowBits: UInt = 15

    @usableFromInline package let word: UInt

    init(_ chunk: Chunk, _ index: Int) {
        let size = unsafe chunk.header.pointee.size
        word = unsafe UInt(bitPattern: chunk.closureMemory(index)) | size.rawValue << Entry.sizeShift
    }

    /// The entry at an address in a chunk.
    @inline(__always)
    init(_ chunk: Chunk, at address: UnsafeMutableRawPointer) {
        word = unsafe UInt(bitPattern: address) | chunk.header.pointee.size.rawValue << Entry.sizeShift
    }

    @inlinable
    package init(word: UInt) { self.word = word & ~Entry.sparedBit }

    /// The address of the closure.
    var address: UInt { word & ~Entry.lowBits }

    @inline(__always)
    package var chunk: Chunk {
        // A chunk is aligned to its size, and not at address 0.
        let size = Chunk.Size(rawValue: (word & Entry.lowBits) >> Entry.sizeShift)
        guard let base = unsafe UnsafeMutableRawPointer(bitPattern: word & ~UInt(size.alignment - 1)) else {
            preconditionFailure("an entry lies in a chunk")
        }
        return unsafe Chunk(base)
    }

    var index: Int { index(in: chunk) }

    @inline(__always)
    func index(in chunk: Chunk) -> Int {
        (Int(address - chunk.start) - Chunk.headerSize) / Chunk.entrySize
    }

    /// The channel, which is there as long as the chunk is.
    package var channel: Channel { unsafe chunk.header.pointee.channel.takeUnretainedValue() }

    /// Ends the entry. Its closure is freed now if no post to the channel is in progress; else when those have left, by the last
    /// of them or by the next holder of the channel's lock.
    ///
    /// - Parameter end: Why it ends.
    @inline(__always)
    package func cancel(_ end: EntryEnd = .cancelled) {
        let chunk = chunk
        let index = index(in: chunk)
        // The end of a token that was cancelled need not lock.
        if !chunk.isLive(index) { return }
        // The chunk retains the channel, so it is borrowed.
        unsafe chunk.header.pointee.channel._withUnsafeGuaranteedRef { $0.cancel(self, index, of: chunk, end) }
    }

    /// Ends the entry, if it is live, and gives back the reference to its chunk that came with it.
    package func release(ending end: EntryEnd) {
        cancel(end)
        chunk.release()
    }

    /// The details of the entry, beside its closure: while it is live, or a post that found it live is in its lane.
    package var details: EntryDetails { chunk.details(index) }

    /// A number that no other entry of the process has or will have. The caller keeps the chunk, or is in a post that calls the
    /// entry.
    package var serial: UInt64 {
        let chunk = chunk
        return chunk.serial(index(in: chunk))
    }

    /// Takes another reference to the chunk, for which ``release()`` has to be called once more.
    package func retain() { chunk.retain() }

    /// Gives back the reference to the chunk that came with the entry.
    package func release() { chunk.release() }

    // MARK: - Under the channel's lock

    var isLive: Bool { chunk.isLive(index) }

    /// The entry's number in its roster.
    var number: Int { unsafe chunk.header.pointee.first + index }

    /// The roster of a live entry.
    var roster: Roster { unsafe chunk.header.pointee.roster.takeUnretainedValue() }
}

/// The details of an entry, beside its closure, in the terms of the code above the engine.
///
/// The engine hands it back and asks the ``ChannelHost`` about its tie; it looks at nothing else. Thirty-two bytes, as every
/// entry has one.
@usableFromInline
package struct EntryDetails: @unchecked Sendable {  // immutable, and the tie is `Sendable`
    /// The file of the registration.
    @usableFromInline package let fileID: StaticString

    /// A number of the host's: where the observer runs.
    @usableFromInline package let mode: UInt8

    @usableFromInline let traits: UInt8

    /// The line of the registration.
    @usableFromInline package let line: UInt32

    /// An object of the host's that goes with the entry; `nil` for most entries.
    @usableFromInline package let tie: AnyObject?

    /// The tie of the details at an address, not retained: they keep it.
    @inlinable
    @inline(__always)
    package static func tie(at details: UnsafePointer<EntryDetails>) -> Unmanaged<AnyObject>? {
        unsafe details.pointee.tie.map { unsafe .passUnretained($0) }
    }

    /// - Parameters:
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - mode: A number of the host's.
    ///   - tie: An object of the host's. It must be `Sendable`.
    ///   - hasOwner: Whether the host says by the tie when the entry has ended.
    ///   - isWatched: Whether posts that do not reach the entry have to notice that it has ended.
    ///   - isConditional: Whether the closure may refuse a payload, and notes it as a ``Refusal``.
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

    /// The same details, of an entry that is limited to a sender.
    @usableFromInline package var limited: EntryDetails { EntryDetails(self, adding: 8) }

    /// The same details, of a conditional entry of which whoever posts is told by other means how many calls were refused: a post of
    /// which the host is not told need not look at each.
    package var countingRefusals: EntryDetails { EntryDetails(self, adding: 16) }

    /// The same details, of an entry that is handed something when it has been added: see ``Channel/call(_:with:)``.
    package var beginningByHandOver: EntryDetails { EntryDetails(self, adding: 32) }

    /// The same details, with what was said of others by the three above.
    package func withMarks(of other: EntryDetails) -> EntryDetails { EntryDetails(self, adding: other.traits & 56) }

    /// Whether the entry was added as one that is limited to a sender.
    @inlinable package var isLimited: Bool { traits & 8 != 0 }

    /// Whether the entry is called in each post and no more has to be known of it: see the traits below.
    var isPlain: Bool { traits == 0 && tie == nil }

    package var hasOwner: Bool { traits & 1 != 0 }
    package var isWatched: Bool { traits & 2 != 0 }
    package var isConditional: Bool { traits & 4 != 0 }
    package var countsRefusals: Bool { traits & 16 != 0 }
    package var beginsByHandOver: Bool { traits & 32 != 0 }
}

/// A closure that is called where it lies: borrowed from memory, it is neither copied nor retained.
@usableFromInline
package struct Observer<Payload>: ~Copyable {
    @usableFromInline package let body: @Sendable (Payload) -> Void

    @inlinable
    package init(_ body: consuming @escaping @Sendable (Payload) -> Void) { self.body = body }

    /// Takes an observer out of an optional, and has it moved by what adds it.
    @inlinable
    @inline(__always)
    static func move(_ observer: inout Observer?, _ add: (consuming MovedObserver) -> Entry) -> Entry {
        unsafe withUnsafeTemporaryAllocation(of: Observer.self, capacity: 1) { memory in
            guard let observer = observer.take() else { preconditionFailure("an observer is added once") }
            // The memory is as large as one observer, and raw until here and from the move on.
            unsafe memory.initializeElement(at: 0, to: observer)
            guard let address = memory.baseAddress else { preconditionFailure("memory has an address") }
            return unsafe add(MovedObserver(address))
        }
    }

    @inlinable
    @inline(__always)
    borrowing func callAsFunction(_ payload: borrowing Payload) { body(payload) }
}

/// An observer in the memory of whoever adds it, from where it is moved to its entry by code that does not know what it takes.
@usableFromInline
@safe
package struct MovedObserver {
    private let memory: UnsafeMutableRawPointer

    @usableFromInline
    init<Payload>(_ memory: UnsafeMutablePointer<Observer<Payload>>) {
        unsafe self.memory = UnsafeMutableRawPointer(memory)
    }

    /// Moves the observer into raw memory of its size and alignment. Called once.
    @inline(__always)
    func move(to entry: UnsafeMutableRawPointer) {
        // A closure is two words, whatever it takes, and moved as they are.
        unsafe entry.copyMemory(from: memory, byteCount: MemoryLayout<Observer<Never>>.size)
    }
}

/// Numbers by which observers are told apart as long as the process runs.
package enum ObserverSerial {
    private static let taken = Atomic<UInt64>(0)

    /// The first of 64 numbers that were never given before: a chunk of entries takes them for all that it will have, and
    /// whatever else is told apart from entries takes them for itself.
    ///
    /// Relaxed: a number is only told apart from others by it.
    package static func next() -> UInt64 { taken.wrappingAdd(64, ordering: .relaxed).newValue }
}
