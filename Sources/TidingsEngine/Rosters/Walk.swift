public import Synchronization

/// The way of one post through a roster, that can stop and go on: from the first entry to the last that was there when the post began.
///
/// Valid as long as the post's lane is claimed.
@usableFromInline
@safe
struct Walk {
    /// The chunk where the walk stands.
    private var address: UnsafeMutableRawPointer?

    /// The entries of the chunk that are still to come.
    private var pending: UInt64

    /// How many entries there were when the post began.
    let count: Int

    private let lane: Lane

    init(_ roster: Roster, _ lane: Lane) {
        self.lane = lane
        count = roster.count
        unsafe address = roster.head.load(ordering: .sequentiallyConsistent)
        pending = 0
        if let address = unsafe address { unsafe pending = Walk.live(in: Chunk(address), count) }
    }

    /// The live entries of a chunk that were there when the post began.
    @inlinable
    @inline(__always)
    static func live(in chunk: Chunk, _ count: Int) -> UInt64 {
        let header = unsafe chunk.header
        let live = unsafe header.pointee.live.load(ordering: .sequentiallyConsistent)
        return unsafe live & ~Chunk.isDrained & Walk.below(count &- header.pointee.first)
    }

    /// The bits below a number, which may be too small or too large for a word.
    @inlinable
    @inline(__always)
    static func below(_ number: Int) -> UInt64 {
        number >= 64 ? .max : number <= 0 ? 0 : (1 << UInt64(truncatingIfNeeded: number)) &- 1
    }

    /// Calls the entries from here on whose number in the roster is below a limit.
    ///
    /// - Returns: How many were called.
    mutating func call<N>(_ notification: N, in channel: TypedChannel<N>, upTo limit: Int) -> Int {
        var calls = 0
        while let next, next.number < limit { calls += callNext(notification, in: channel) }
        return calls
    }

    /// Calls the entry where the walk stands, and goes on.
    ///
    /// - Returns: How many were called: 1, or 0 if the entry was cancelled meanwhile.
    mutating func callNext<N>(_ notification: N, in channel: TypedChannel<N>) -> Int {
        guard let next else { return 0 }
        pending &= pending - 1
        let isCalled = channel.call(next.index, of: next.chunk, notification, lane)
        // The next call may be in a chunk of the other roster.
        channel.leave(next.chunk, lane)
        return isCalled ? 1 : 0
    }

    /// The entry where the walk stands; `nil` at the end.
    var next: (chunk: Chunk, index: Int, number: Int)? {
        mutating get {
            while let address = unsafe address {
                let chunk = unsafe Chunk(address)
                if pending != 0 {
                    let index = pending.trailingZeroBitCount
                    return unsafe (chunk, index, chunk.header.pointee.first + index)
                }
                unsafe self.address = unsafe chunk.header.pointee.next.load(ordering: .sequentiallyConsistent)
                if let address = unsafe self.address { unsafe pending = Walk.live(in: Chunk(address), count) }
            }
            return nil
        }
    }
}
