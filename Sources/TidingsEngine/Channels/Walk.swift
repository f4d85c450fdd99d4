import Synchronization

/// The way of one post through a roster, that can stop and go on: from the first entry to the last that was there when the
/// post began.
///
/// Valid as long as the post's lane is claimed.
@safe
struct Walk {
    /// The chunk where the walk stands.
    private var address: UnsafeMutableRawPointer?

    /// The entries of the chunk that are still to come.
    private var pending: UInt64

    /// How many entries there were when the post began.
    let count: Int

    /// - Parameters:
    ///   - roster: The roster.
    ///   - count: How many entries there were when the post began.
    init(_ roster: Roster, _ count: Int) {
        self.count = count
        unsafe address = roster.head.load(ordering: .sequentiallyConsistent)
        pending = 0
        if let address = unsafe address { unsafe pending = live(in: Chunk(address)) }
    }

    /// The live entries of a chunk that were there when the post began.
    private func live(in chunk: Chunk) -> UInt64 {
        let header = unsafe chunk.header
        let live = unsafe header.pointee.live.load(ordering: .sequentiallyConsistent)
        return unsafe live & ~Chunk.drainBit & Walk.below(count &- header.pointee.first)
    }

    /// The bits below a number, which may be too small or too large for a word.
    @inline(__always)
    static func below(_ number: Int) -> UInt64 {
        number >= 64 ? .max : number <= 0 ? 0 : (1 << UInt64(truncatingIfNeeded: number)) &- 1
    }

    /// The entry where the walk stands, and its number in the roster; `nil` at the end.
    var next: (chunk: Chunk, index: Int, number: Int)? {
        mutating get {
            while let address = unsafe address {
                let chunk = unsafe Chunk(address)
                if pending != 0 {
                    let index = pending.trailingZeroBitCount
                    return unsafe (chunk, index, chunk.header.pointee.first + index)
                }
                unsafe self.address = unsafe chunk.header.pointee.next.load(ordering: .sequentiallyConsistent)
                if let address = unsafe self.address { unsafe pending = live(in: Chunk(address)) }
            }
            return nil
        }
    }

    /// Leaves the entry where the walk stands behind.
    mutating func advance() { pending &= pending &- 1 }
}
