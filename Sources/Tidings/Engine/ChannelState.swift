/// What changes in a channel beside its rosters, under the channel's lock.
struct ChannelState: @unchecked Sendable {  // only reached under the lock
    var isOpen = true
    var liveCount = 0

    /// The observers that a post must look at although it does not reach them, as they end with an owner or a sender.
    var watched = 0

    /// The index that posts read.
    var senders: SenderTable

    /// The rosters of senders that are the same as no other.
    var unmatched: [Roster] = []

    var mortals = Mortals()
    var retired = Retired()

    /// Those who wait for a call to end. They are resumed with `false`: they look again.
    private var drains: [CheckedContinuation<Bool, Never>] = []

    /// The calls of posts that found no lane.
    var callsWithoutLane: [Entry] = []

    init(senders: SenderTable) { self.senders = senders }

    /// Takes out a roster that has no live entry. The one for every sender stays.
    mutating func forget(_ roster: Roster) -> Roster? {
        if let tag = roster.tag { return senders.remove(roster, tag: tag) }
        unmatched.removeAll { $0 === roster }
        return nil
    }

    /// Returns what no post can see; what one may see waits until that post has left.
    mutating func retire(_ removed: Removed, from channel: Channel) -> Removed? {
        if removed.isEmpty { return nil }
        let lanes = Lanes.shared.posts(in: channel.name)
        if lanes == 0 { return removed }
        retired.append(removed, lanes: lanes)
        return nil
    }

    mutating func addDrain(_ continuation: CheckedContinuation<Bool, Never>) {
        drains.append(continuation)
    }

    mutating func takeDrains() -> [CheckedContinuation<Bool, Never>] {
        defer { drains = [] }
        return drains
    }
}

/// What was taken out of a channel in one step.
struct Removed: @unchecked Sendable {  // handed from thread to thread under the channel's lock, freed by one of them
    /// An entry whose closure has to be freed.
    var entry: Entry?
    /// A chunk that was unlinked.
    var chunk: Chunk?
    /// A roster without entries.
    var roster: Roster?
    /// An index that was replaced.
    var table: SenderTable?
    /// Not seen by posts, but freed outside the lock.
    var mortals: [Mortal] = []

    var isEmpty: Bool {
        entry == nil && chunk == nil && roster == nil && table == nil && mortals.isEmpty
    }
}

/// What was taken out of a channel while posts were in progress that may see it.
struct Retired {
    private var batches: [(lanes: UInt64, removed: Removed)] = []

    mutating func append(_ removed: Removed, lanes: UInt64) {
        batches.append((lanes, removed))
    }

    /// What waited for no other post than the one that leaves this lane.
    mutating func takeAfterLeaving(_ lane: Int) -> [Removed] {
        var free: [Removed] = []
        var kept = 0
        for index in batches.indices {
            batches[index].lanes &= ~(1 << UInt64(lane))
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
