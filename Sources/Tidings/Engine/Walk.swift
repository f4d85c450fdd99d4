public import Synchronization

/// The way of one post through a roster: from the first entry to the last that was there when the post began.
///
/// Valid as long as the post's lane is claimed.
@usableFromInline
@safe
struct Walk {
    /// The chunk where the walk stands.
    @usableFromInline var chunk: UnsafeMutableRawPointer?

    /// The entries of the chunk that are still to come.
    @usableFromInline var pending: UInt64

    /// How many entries there were when the post began.
    @usableFromInline let count: Int

    @usableFromInline let claim: Lanes.Claim

    @inlinable
    @inline(__always)
    init(_ roster: Roster, _ claim: Lanes.Claim) {
        self.claim = claim
        count = roster.count.load(ordering: .sequentiallyConsistent)
        unsafe chunk = roster.head.load(ordering: .sequentiallyConsistent)
        pending = 0
        if let chunk = unsafe chunk { unsafe pending = live(in: Chunk(chunk)) }
    }

    /// The live entries of a chunk that were there when the post began.
    @inlinable
    @inline(__always)
    func live(in chunk: Chunk) -> UInt64 {
        let header = unsafe chunk.header
        let live = unsafe header.pointee.live.load(ordering: .sequentiallyConsistent)
        return unsafe live & Walk.below(count &- header.pointee.first)
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
    @inlinable
    mutating func call<N>(_ notification: N, in channel: TypedChannel<N>, upTo limit: Int) -> Int {
        var calls = 0
        while let address = unsafe chunk {
            let chunk = unsafe Chunk(address)
            let reached = unsafe Walk.below(limit &- chunk.header.pointee.first)
            var now = pending & reached
            while now != 0 {
                if callEntry(now.trailingZeroBitCount, of: chunk, notification, in: channel) { calls &+= 1 }
                now &= now &- 1
            }
            pending &= ~reached
            if pending != 0 { break }
            advance(from: chunk)
        }
        return calls
    }

    /// Calls the entry where the walk stands, and goes on.
    ///
    /// - Returns: How many were called: 1, or 0 if the entry was cancelled meanwhile.
    @inlinable
    mutating func callOne<N>(_ notification: N, in channel: TypedChannel<N>) -> Int {
        guard position != nil, let address = unsafe chunk else { return 0 }
        let called = unsafe callEntry(pending.trailingZeroBitCount, of: Chunk(address), notification, in: channel)
        pending &= pending &- 1
        return called ? 1 : 0
    }

    /// How many entries for every sender there were when the entry where the walk stands was added; `nil` at the end.
    @inlinable
    var position: Int? {
        mutating get {
            while let address = unsafe chunk {
                let chunk = unsafe Chunk(address)
                if pending != 0 { return unsafe chunk.header.pointee.details[pending.trailingZeroBitCount].position }
                advance(from: chunk)
            }
            return nil
        }
    }

    @inlinable
    @inline(__always)
    mutating func advance(from chunk: Chunk) {
        let next = unsafe chunk.header.pointee.next.load(ordering: .sequentiallyConsistent)
        unsafe self.chunk = unsafe next
        if let next = unsafe next { unsafe pending = live(in: Chunk(next)) }
    }

    /// Announces a call in the lane, looks whether the entry is still live, and calls it.
    @inlinable
    @inline(__always)
    func callEntry<N>(_ index: Int, of chunk: Chunk, _ notification: N, in channel: TypedChannel<N>) -> Bool {
        let memory = unsafe chunk.entry(index)
        unsafe claim.lane.pointee.entry.store(UInt(bitPattern: memory), ordering: .relaxed)
        let live = unsafe chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
        if live & (1 << UInt64(truncatingIfNeeded: index)) == 0 { return false }
        // The entry was live after the lane was claimed, so the closure is there until the lane is left.
        unsafe memory.assumingMemoryBound(to: Observer<N>.self).pointee(notification)
        if unsafe claim.lane.pointee.occupant.load(ordering: .relaxed) & Lanes.drainMark != 0 {
            channel.callEnded(claim)
        }
        return true
    }
}
