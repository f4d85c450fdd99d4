/// What was taken out of a channel while posts were in progress that may see it.
struct Retired {
    private var batches: [(lanes: UInt64, removed: Removed)] = []

    /// Keeps something until the posts in these lanes have left; an entry keeps its chunk meanwhile.
    mutating func append(_ removed: consuming Removed, lanes: UInt64) {
        removed.entry?.chunk.retain()
        batches.append((lanes, removed))
    }

    /// What waited for no other posts than those in these lanes, which have left.
    mutating func take(waitingFor lanes: UInt64) -> [Removed] {
        var free: [Removed] = []
        var kept = 0
        for index in batches.indices {
            batches[index].lanes &= ~lanes
            if batches[index].lanes == 0 {
                free.append(batches[index].removed)
            } else {
                batches.swapAt(kept, index)
                kept += 1
            }
        }
        batches.removeLast(batches.count - kept)
        return free
    }
}
