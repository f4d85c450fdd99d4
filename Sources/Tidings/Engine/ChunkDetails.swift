import Synchronization

/// What a chunk has beside what posts read, in memory of its own: a line that changes is then not one that they wait for.
///
/// How many refer to the chunk stands first, then the registration of each entry. Behind them stands, for one sender's
/// entries, how many entries for every sender there were when each was added: for the order among both kinds.
@usableFromInline
@safe
struct ChunkDetails {
    private static let headerSize = 16

    private let address: UnsafeMutableRawPointer

    /// Begins with a reference for the roster, and one for whoever will add each of the entries.
    init(entries: Int, hasPositions: Bool) {
        let entrySize = MemoryLayout<Registration>.stride + (hasPositions ? MemoryLayout<Int>.stride : 0)
        unsafe address = .allocate(
            byteCount: ChunkDetails.headerSize + entries * entrySize, alignment: MemoryLayout<Registration>.alignment)
        // Raw memory; the bytes before the registrations are the counter's.
        unsafe address.bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(entries + 1))
    }

    /// Frees the memory. The registrations are gone by then.
    func free() { unsafe address.deallocate() }

    /// How many refer to the chunk.
    var references: UnsafeMutablePointer<Atomic<Int>> {
        // Made in `init`.
        unsafe address.assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// The place for the registration of an entry, which is there from its making to its destruction.
    func registration(_ index: Int) -> UnsafeMutablePointer<Registration> {
        // The memory is used for nothing else.
        unsafe (address + ChunkDetails.headerSize).assumingMemoryBound(to: Registration.self) + index
    }

    /// The place for the position of an entry, if there are positions, in a chunk of that many entries.
    func position(_ index: Int, of entries: Int) -> UnsafeMutablePointer<Int> {
        // As above.
        unsafe UnsafeMutableRawPointer(registration(entries)).assumingMemoryBound(to: Int.self) + index
    }
}
