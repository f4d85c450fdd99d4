import Synchronization

/// Which lanes belong to a thread, and how many were ever used.
@usableFromInline
final class LaneRegistry: Sendable {
    /// A bit for each lane that is some thread's own.
    private let owned = Atomic<UInt64>(0)

    /// The lanes at and above this number were never claimed, so that a scan can end here.
    private let highest = Atomic<Int>(0)

    /// Where the search for a lane starts when every lane is owned.
    private let turn = Atomic<Int>(0)

    var used: Int { highest.load(ordering: .sequentiallyConsistent) }

    /// A lane for a thread: one that no other thread has, as long as there are any.
    func acquire() -> Int {
        var seen = owned.load(ordering: .relaxed)
        while seen != .max {
            let index = (~seen).trailingZeroBitCount
            let (exchanged, original) = owned.compareExchange(
                expected: seen, desired: seen | (1 << UInt64(index)), ordering: .acquiringAndReleasing)
            if exchanged { return index }
            seen = original
        }
        return turn.wrappingAdd(1, ordering: .relaxed).newValue & (Lanes.capacity - 1)
    }

    /// Gives a thread's lane back when the thread ends. A lane that was shared is given back by the first to end.
    func release(_ index: Int) {
        owned.bitwiseAnd(~(1 << UInt64(index)), ordering: .acquiringAndReleasing)
    }

    /// Makes scans include a lane, before it is claimed for the first time.
    func use(_ index: Int) {
        // Acquired, so that a claim after it stands behind the step of whoever raised the number, in the one order.
        if highest.load(ordering: .acquiring) <= index { highest.max(index + 1, ordering: .sequentiallyConsistent) }
    }
}
