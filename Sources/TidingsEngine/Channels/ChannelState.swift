import Synchronization

/// The state of a channel under its lock, and the flag of posts that left something to do for the holder of the lock.
///
/// In memory of its own: posts read the channel object, and would wait for its cache lines while other threads register.
final class ChannelLock: Sendable {
    let state: Lock<ChannelState>

    /// Whether a post has departed from a marked lane since the flag was last cleared.
    let hasDepartures = Atomic(false)

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

    var liveCount = 0

    /// Whether the host is told what happens.
    var isMonitored = false

    /// The entries for one sender that the host has marked as watched: posts that do not reach them have to notice their end. All
    /// mortal ones, if the channel watches all.
    var watched: WatchList

    /// Whether all mortal entries are watched, as posts end the dead ones before they begin: those that the host is told of, and
    /// those that count which entries have refused.
    var watchesAll = false

    /// How many entries may refuse what is posted, and for how many of these posts have to count it. In one word, as a larger state
    /// costs every step.
    var conditional: Int32 = 0
    var counted: Int32 = 0

    /// Whether posts look at each call, as the host is told of it, or as it may have been refused.
    var looksAtCalls: Bool { isMonitored || counted > 0 }

    /// Counts an entry that may refuse what is posted, or its end.
    mutating func count(conditional details: EntryDetails, _ change: Int32) {
        conditional += change
        if !details.countsRefusals { counted += change }
    }

    /// The index that posts read.
    var senders: SenderTable

    /// The rosters of senders that are the same as no other.
    var unmatched: [Roster] = []

    var mortals = Mortals()
    var retired = Retired()

    /// Which entries have ended; `nil` as long as the host does not want to know. An object, as a larger state costs every step.
    var ended: EndedEntries?

    /// The drains that wait for a call to end.
    var drains = Drains()

    /// The calls of posts that found no lane.
    var callsWithoutLane: [Entry] = []

    init(senders: SenderTable, watched: WatchList, keepsEnded: Bool) {
        self.senders = senders
        self.watched = watched
        ended = keepsEnded ? EndedEntries() : nil
    }

    /// Whether an entry is one of those that are watched.
    func watches(_ mortal: Mortal) -> Bool { watchesAll || mortal.isWatched }

    /// All rosters of a channel that a post can reach.
    func rosters(with everyone: Roster) -> [Roster] {
        finish == nil ? senders.rosters() + unmatched + [everyone] : []
    }

    /// Takes out a roster that has no live entry.
    mutating func forget(_ roster: Roster, _ removed: inout Removed) {
        if let tag = roster.tag {
            removed.parts().roster = senders.remove(roster, tag: tag)
        } else if let index = unmatched.firstIndex(where: { $0 === roster }) {
            removed.parts().roster = unmatched.remove(at: index)
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
