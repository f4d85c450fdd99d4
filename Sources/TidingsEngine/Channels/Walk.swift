/// A post's iteration over the entries that existed when the post began. Valid only while the post holds its lane.
@safe
struct Walk {
    private var address: UnsafeMutableRawPointer?

    private var pending: UInt64 = 0

    let count: Int

    /// The number of the current entry, or ``end`` after the last entry. No entry has the number ``end``.
    private(set) var number = Walk.end

    static let end = Int.max

    @inline(__always)
    init(_ roster: Roster, _ count: Int) {
        self.count = count
        unsafe address = roster.head.load(ordering: .sequentiallyConsistent)
        enter()
    }

    /// Creates a walk over a single entry. The caller keeps the entry's chunk allocated. The walk never follows the
    /// chunk's link to the next chunk, because the link may be dangling.
    init(at entry: Entry) {
        let chunk = entry.chunk
        let index = entry.index(in: chunk)
        count = 0
        unsafe address = unsafe UnsafeMutableRawPointer(bitPattern: chunk.start)
        // The drain bit belongs to no entry. While the bit is pending, `advance()` doesn't leave the chunk.
        pending = 1 &<< UInt64(truncatingIfNeeded: index) | Chunk.drainBit
        number = chunk.first &+ index
    }

    @inline(__always)
    static func below(_ number: Int) -> UInt64 {
        number >= 64 ? .max : number <= 0 ? 0 : (1 << UInt64(truncatingIfNeeded: number)) &- 1
    }

    @inline(__always)
    var place: (chunk: Chunk, index: Int) {
        guard let address = unsafe address else { preconditionFailure("a walk that has ended has no current entry") }
        return unsafe (Chunk(address), pending.trailingZeroBitCount)
    }

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

    private mutating func enter() {
        while let address = unsafe address {
            let chunk = unsafe Chunk(address)
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
