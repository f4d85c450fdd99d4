import Synchronization

/// What a chunk has beside what posts read, at its end: what is written there is then in no line that they wait for.
///
/// The registration of each entry, and behind them, for one sender's entries, how many entries for every sender there were
/// when each was added: for the order among both kinds.
@usableFromInline
@safe
struct ChunkDetails {
    private let address: UnsafeMutableRawPointer

    /// - Parameter address: Where the details of a chunk begin; the chunk keeps the memory.
    init(_ address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

    /// How much memory is needed.
    static func byteCount(entries: Int, hasPositions: Bool) -> Int {
        entries * (MemoryLayout<ObserverRegistration>.stride + (hasPositions ? MemoryLayout<Int>.stride : 0))
    }

    /// The place for the registration of an entry, which is there from its making to its destruction.
    func registration(_ index: Int) -> UnsafeMutablePointer<ObserverRegistration> {
        // The memory is used for nothing else.
        unsafe address.assumingMemoryBound(to: ObserverRegistration.self) + index
    }

    /// The place for the position of an entry, if there are positions, in a chunk of that many entries.
    func position(_ index: Int, of entries: Int) -> UnsafeMutablePointer<Int> {
        // As above.
        unsafe UnsafeMutableRawPointer(registration(entries)).assumingMemoryBound(to: Int.self) + index
    }
}
