/// The locked state of a channel. It is a separate object, so that changes don't touch the cache lines that posts read.
final class ChannelLock: Sendable {
    let state: Lock<ChannelState>

    let hasDepartures = AtomicByte(false)

    /// The number of running posts without a lane. It is only accessed under the lock, so relaxed operations suffice.
    /// It isn't in `ChannelState`, because a larger state slows down every operation.
    let postsWithoutLane = Atomic(0)

    init(_ state: consuming sending ChannelState) { self.state = Lock(state) }
}

struct ChannelState: ~Copyable, @unchecked Sendable {  // only accessed under the lock
    var isOpen = true

    var finish: ChannelFinish?

    var hidesEntries: Bool { finish?.hidesEntries == true }

    var liveCount = 0

    var interests: HostInterests = []

    var hasLookedAtMode = false

    /// The watched entries with a sender; see ``WatchList``.
    var watched: WatchList

    /// The number of entries that have a condition, and the number of those entries whose rejections posts have to
    /// count. Both take 32 bits, because a larger state slows down every operation.
    var conditional: Int32 = 0
    var counted: Int32 = 0

    /// Whether posts check each call: the host receives the calls, or a condition may reject the payload.
    func looksAtCalls(isFiltered: Bool) -> Bool {
        interests.contains(.posts) || counted > 0
            || interests.contains(.beginnings) && (liveCount == 0 || isFiltered || hasLookedAtMode || conditional > 0)
    }

    mutating func count(conditional details: EntryDetails, _ change: Int32) {
        conditional += change
        if !details.countsRefusals { counted += change }
    }

    var senders: SenderTable

    /// The rosters of senders that equal no other sender.
    var unmatched: [ObjectIdentifier: Roster] = [:]

    /// For each type of value, the number of rosters. `valueTypes` counts the rosters of values that were found to be
    /// comparable at run time, and `unmatchedTypes` those of incomparable values. The keys are numbers, so that these
    /// dictionaries share their code with others.
    var valueTypes: [UInt: Int] = [:]
    var unmatchedTypes: [UInt: Int] = [:]

    var mortals = Mortals()
    var retired = Retired()

    /// `nil` until the host needs ended entries. Not stored inline, because a larger state slows every operation.
    var ended: EndedEntries?

    var drains = Drains()

    var callsWithoutLane: [Entry] = []

    /// The entries whose hand-over hasn't ended, in the form of ``calls(in:)``.
    var handOvers: [UInt: UInt] = [:]

    init(senders: SenderTable, watched: WatchList, keepsEnded: Bool) {
        self.senders = senders
        self.watched = watched
        ended = keepsEnded ? EndedEntries() : nil
    }

    func rosters(with everyone: Roster) -> [Roster] {
        if finish != nil { return [] }
        var rosters = senders.rosters()
        for roster in unmatched.values { rosters.append(roster) }
        rosters.append(everyone)
        return rosters
    }

    func entries(with everyone: Roster) -> [KeptEntry] {
        rosters(with: everyone).flatMap { roster in
            roster.liveEntries().map { KeptEntry(entry: $0, details: $0.details, roster: roster) }
        }
    }

    mutating func count(_ roster: Roster, _ change: Int) {
        func count(_ type: Any.Type, _ counts: inout [UInt: Int]) {
            let key = UInt(bitPattern: ObjectIdentifier(type))
            let count = counts[key, default: 0] + change
            counts[key] = count == 0 ? nil : count
        }
        switch roster.limit {
        case .none, .object: return
        case .value: if let type = roster.typeAtRunTime { count(type, &valueTypes) }
        case .unmatched(let type): count(type, &unmatchedTypes)
        }
    }

    mutating func forget(_ roster: Roster, _ removed: inout Removed) {
        count(roster, -1)
        if let tag = roster.tag {
            removed.parts().roster = senders.remove(roster, tag: tag)
        } else if let roster = unmatched.removeValue(forKey: ObjectIdentifier(roster)) {
            removed.parts().roster = roster
        }
    }

    /// Returns `removed` if no post can see it. Otherwise keeps it until the posts in progress have left.
    mutating func retire(_ removed: consuming Removed, from channel: Channel) -> Removed {
        if removed.isEmpty { return removed }
        let posts = channel.lanes.mark(channel.name)
        if posts == 0 { return removed }
        retired.append(removed, lanes: posts)
        return Removed()
    }
}
