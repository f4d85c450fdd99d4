public import Synchronization

/// One lane: the channel that a post is in, and the entry it is calling.
@usableFromInline
struct Lane: ~Copyable {
    /// The address of the channel, with marks in its low bits; 0 if the lane is free.
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
        entry.store(0, ordering: .relaxed)
        return occupant.compareExchange(expected: channel, desired: 0, ordering: .releasing).exchanged
    }

    /// Frees the lane, marked or not.
    func clear() {
        occupant.store(0, ordering: .releasing)
    }

    /// Marks the lane if it names the channel.
    func mark(_ channel: UInt, with mark: UInt) -> Bool {
        var seen = occupant.load(ordering: .sequentiallyConsistent)
        while seen & ~Lane.marks == channel {
            let (exchanged, original) = occupant.compareExchange(
                expected: seen, desired: seen | mark, ordering: .sequentiallyConsistent)
            if exchanged { return true }
            seen = original
        }
        return false
    }

    /// Takes one mark off the lane, which its own post does.
    func unmark(_ mark: UInt) {
        occupant.bitwiseAnd(~mark, ordering: .acquiringAndReleasing)
    }

    func isCalling(_ address: UInt, of channel: UInt) -> Bool {
        entry.load(ordering: .sequentiallyConsistent) == address
            && occupant.load(ordering: .sequentiallyConsistent) & ~Lane.marks == channel
    }

    @inlinable static var marks: UInt { Lanes.leaveMark | Lanes.drainMark }
}
