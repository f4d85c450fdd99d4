/// The state of a channel under its lock, and the flag of posts that left something to do for the holder of the lock.
///
/// In memory of its own: posts read the channel object, and would wait for its cache lines while other threads register.
final class ChannelLock: Sendable {
    let state: Lock<ChannelState>

    /// Whether a post has departed from a marked lane since the flag was last cleared.
    let hasDepartures = AtomicByte(false)

    /// How many posts are under way that found no lane; used under the lock, which orders it. Here, as a larger state costs every
    /// step.
    let postsWithoutLane = Atomic(0)

    init(_ state: consuming sending ChannelState) { self.state = Lock(state) }
}

/// What changes in a channel beside its rosters, under the channel's lock.
struct ChannelState: @unchecked Sendable {  // only reached under the lock
    var isOpen = true

    /// The end of the channel, once it has begun; see ``Channel/finish(_:)``.
    var finish: ChannelFinish?

    /// Whether the channel finishes, and hides its entries from posts.
    var hidesEntries: Bool { finish?.hidesEntries == true }

    var liveCount = 0

    /// What the host is told.
    var interests: HostInterests = []

    /// Whether an entry ever had the mode whose calls the host looks at, as long as it is told that posts begin.
    var hasLookedAtMode = false

    /// The entries for one sender that the host has marked as watched: posts that do not reach them have to notice their end.
    var watched: WatchList

    /// How many entries may refuse what is posted, and for how many of these posts have to count it. In one word, as a larger state
    /// costs every step.
    var conditional: Int32 = 0
    var counted: Int32 = 0

    /// Whether posts look at each call, as the host is told of it, or as it may have been refused. Before they begin they end some
    /// of the entries whose owner or sender is dead.
    ///
    /// A host that is told that posts begin is told more of those that may reach nobody, and of those with calls at which it looks.
    func looksAtCalls(isFiltered: Bool) -> Bool {
        interests.contains(.posts) || counted > 0
            || interests.contains(.beginnings) && (liveCount == 0 || isFiltered || hasLookedAtMode || conditional > 0)
    }

    /// Counts an entry that may refuse what is posted, or its end.
    mutating func count(conditional details: EntryDetails, _ change: Int32) {
        conditional += change
        if !details.countsRefusals { counted += change }
    }

    /// The index that posts read.
    var senders: SenderTable

    /// The rosters of senders that are the same as no other.
    var unmatched: [ObjectIdentifier: Roster] = [:]

    /// How many rosters there are of values whose kind was found out at run time, and of those that equal no other, by type.
    var valueTypes: [ObjectIdentifier: Int] = [:]
    var unmatchedTypes: [ObjectIdentifier: Int] = [:]

    var mortals = Mortals()
    var retired = Retired()

    /// Which entries have ended; `nil` as long as the host does not want to know. An object, as a larger state costs every step.
    var ended: EndedEntries?

    /// The drains that wait for a call to end.
    var drains = Drains()

    /// The calls of posts that found no lane.
    var callsWithoutLane: [Entry] = []

    /// The addresses of the entries whose hand-over has not ended; see ``Channel/endHandOver(of:)``.
    var handOvers: Set<UInt> = []

    init(senders: SenderTable, watched: WatchList, keepsEnded: Bool) {
        self.senders = senders
        self.watched = watched
        ended = keepsEnded ? EndedEntries() : nil
    }

    /// All rosters of a channel that a post can reach.
    func rosters(with everyone: Roster) -> [Roster] {
        finish == nil ? senders.rosters() + unmatched.values + [everyone] : []
    }

    /// Counts a roster by the type of its value, or its end.
    mutating func count(_ roster: Roster, _ change: Int) {
        func count(_ type: Any.Type, _ counts: inout [ObjectIdentifier: Int]) {
            let count = counts[ObjectIdentifier(type), default: 0] + change
            counts[ObjectIdentifier(type)] = count == 0 ? nil : count
        }
        switch roster.limit {
        case .none, .object: return
        case .value: if let type = roster.typeAtRunTime { count(type, &valueTypes) }
        case .unmatched(let type): count(type, &unmatchedTypes)
        }
    }

    /// Takes out a roster that has no live entry.
    mutating func forget(_ roster: Roster, _ removed: inout Removed) {
        count(roster, -1)
        if let tag = roster.tag {
            removed.parts().roster = senders.remove(roster, tag: tag)
        } else if let roster = unmatched.removeValue(forKey: ObjectIdentifier(roster)) {
            removed.parts().roster = roster
        }
    }

    /// Returns what no post can see; what one may see waits until that post has left.
    mutating func retire(_ removed: consuming Removed, from channel: Channel) -> Removed {
        if removed.isEmpty { return removed }
        let posts = channel.lanes.mark(channel.name)
        if posts == 0 { return removed }
        retired.append(removed, lanes: posts)
        return Removed()
    }
}
