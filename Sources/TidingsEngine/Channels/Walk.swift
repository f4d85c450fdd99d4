/// The way of one post through a roster, that can stop and go on: from the first entry to the last that was there when the
/// post began.
///
/// Valid as long as the post's lane is claimed.
@safe
struct Walk {
    /// The chunk where the walk stands; `nil` at the end.
    private var address: UnsafeMutableRawPointer?

    /// The entries of the chunk from the one where the walk stands on.
    private var pending: UInt64 = 0

    /// How many entries there were when the post began.
    let count: Int

    /// The number in the roster of the entry where the walk stands; at the end, one that no entry has.
    private(set) var number = Walk.end

    static let end = Int.max

    /// - Parameters:
    ///   - roster: The roster.
    ///   - count: How many entries there were when the post began.
    @inline(__always)
    init(_ roster: Roster, _ count: Int) {
        self.count = count
        unsafe address = roster.head.load(ordering: .sequentiallyConsistent)
        enter()
    }

    /// A walk that stands on one entry, and goes no further. The caller keeps the entry's chunk, but maybe no other one: if the
    /// chunk was taken out of its roster, the one behind it may be gone.
    init(at entry: Entry) {
        let chunk = entry.chunk
        let index = entry.index(in: chunk)
        count = 0
        unsafe address = unsafe UnsafeMutableRawPointer(bitPattern: chunk.start)
        // The second bit is that of no entry: with it, the step behind the entry does not leave the chunk.
        pending = 1 &<< UInt64(truncatingIfNeeded: index) | Chunk.drainBit
        number = chunk.first &+ index
    }

    /// The bits below a number, which may be too small or too large for a word.
    @inline(__always)
    static func below(_ number: Int) -> UInt64 {
        number >= 64 ? .max : number <= 0 ? 0 : (1 << UInt64(truncatingIfNeeded: number)) &- 1
    }

    /// The chunk of the entry where the walk stands, and its index there; the walk must not have ended.
    @inline(__always)
    var place: (chunk: Chunk, index: Int) {
        guard let address = unsafe address else { preconditionFailure("a walk stands on a chunk until it ends") }
        return unsafe (Chunk(address), pending.trailingZeroBitCount)
    }

    /// Goes on to the next entry.
    @inline(__always)
    mutating func advance() {
        pending &= pending &- 1
        if pending != 0 {
            number = place.chunk.first &+ pending.trailingZeroBitCount
        } else {
            leaveChunk()
        }
    }

    @inline(never)
    private mutating func leaveChunk() {
        unsafe address = place.chunk.header.pointee.next.load(ordering: .sequentiallyConsistent)
        enter()
    }

    /// Finds the first entry of the chunk, or of those behind it.
    private mutating func enter() {
        while let address = unsafe address {
            let chunk = unsafe Chunk(address)
            // The live entries that were there when the post began.
            let live = unsafe chunk.header.pointee.live.load(ordering: .sequentiallyConsistent) & ~Chunk.drainBit
            pending = live & Walk.below(count &- chunk.first)
            if pending != 0 {
                number = chunk.first &+ pending.trailingZeroBitCount
                return
            }
            unsafe self.address = unsafe chunk.header.pointee.next.load(ordering: .sequentiallyConsistent)
        }
        number = Walk.end
    }
}
