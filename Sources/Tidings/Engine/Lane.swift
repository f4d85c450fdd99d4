public import Synchronization

/// One lane: the channel that a post is in, and the entry it is calling.
@usableFromInline
struct Lane: ~Copyable {
    /// The bit of an occupant that asks the post to free what was removed, when it leaves.
    static let mark: UInt = 1

    /// The address of the channel, whose low bits are zero, and the mark; 0 if the lane is free.
    @usableFromInline let occupant = Atomic<UInt>(0)

    /// The address of the entry being called; 0 between posts.
    @usableFromInline let entry = Atomic<UInt>(0)

    @usableFromInline init() {}

    @inlinable
    @inline(__always)
    func claim(_ channel: UInt) -> Bool {
        occupant.compareExchange(expected: 0, desired: channel, ordering: .sequentiallyConsistent).exchanged
    }

    /// Frees the lane, unless it was marked.
    @inlinable
    @inline(__always)
    func leave(_ channel: UInt) -> Bool {
        occupant.compareExchange(expected: channel, desired: 0, ordering: .releasing).exchanged
    }

    /// Frees the lane, marked or not.
    func clear() {
        occupant.store(0, ordering: .releasing)
    }

    /// Marks the lane if it names the channel.
    func mark(_ channel: UInt) -> Bool {
        let seen = occupant.load(ordering: .sequentiallyConsistent)
        if seen == channel | Lane.mark { return true }
        // If the exchange fails, the post has just left: only posts of the channel leave its lanes, and only marks are set
        // beside, under the channel's lock, which the caller holds.
        return seen == channel
            && occupant.compareExchange(
                expected: channel, desired: channel | Lane.mark, ordering: .sequentiallyConsistent
            ).exchanged
    }

    /// Whether the post in the lane is calling an entry of the channel, as far as can be seen.
    func isCalling(_ address: UInt, of channel: UInt) -> Bool {
        entry.load(ordering: .sequentiallyConsistent) == address
            && occupant.load(ordering: .sequentiallyConsistent) & ~Lane.mark == channel
    }
}
