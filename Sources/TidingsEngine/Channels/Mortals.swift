/// The observers of a channel that end with an owner or a sender, looked at in turn.
///
/// Nothing tells when an object dies, so posts and registrations look. They look at all of them while they are few. When
/// they are many they look at some each time, so that neither takes longer the more there are, and go on as long as they
/// find dead ones.
package struct Mortals {
    /// How hard to look.
    package struct Effort {
        /// How many are looked at all at once.
        let few: Int
        /// How many are looked at if there are more.
        let atOnce: Int

        /// For a post, which should cost nothing for observers that it does not reach.
        package static let ofPost = Effort(few: 16, atOnce: 4)
        /// For a registration: a few microseconds, at most.
        package static let ofRegistration = Effort(few: 256, atOnce: 64)
    }

    /// All of them.
    private(set) var list = WatchList.empty

    /// Where the next look begins.
    private var next = 0

    /// The entries of one list by the addresses of their owners, as far as they were asked for.
    private var byOwner: [UInt: [Mortal]] = [:]
    private var indexed: WatchList?
    private var indexedCount = 0

    var isEmpty: Bool { list.count == 0 }

    /// Replaces the list by one without those that have ended.
    mutating func replace(with renewed: WatchList, _ replaced: inout Removed) {
        let parts = replaced.parts()
        // What refers to the old list, or to what is in it, is released with it, after the lock.
        (parts.mortals, parts.mortalsByOwner) = (list, byOwner)
        (list, byOwner, indexed, indexedCount) = (renewed, [:], nil, 0)
    }

    /// Where a look begins that looks at some of them. The next one begins behind those.
    mutating func nextPlace(_ effort: Effort) -> Int {
        let place = next < list.count ? next : 0
        next = place + effort.atOnce
        return place
    }

    /// Those to look at now, and whether others are left.
    mutating func some(_ effort: Effort) -> (some: [Mortal], areOthersLeft: Bool) {
        if list.liveCount <= effort.few { return (list.all, false) }
        let first = nextPlace(effort)
        return ((0..<effort.atOnce).map { list.withEntry((first + $0) % list.count) { $0 } }, true)
    }
}

/// An observer that ends with an owner or a sender. It keeps the memory of its entry, not the closure.
final class Mortal: Sendable {
    let entry: Entry
    private let details: EntryDetails
    let roster: Roster

    init(entry: Entry, details: EntryDetails, roster: Roster) {
        self.entry = entry
        self.details = details
        self.roster = roster
        entry.chunk.retain()
    }

    deinit { entry.chunk.release() }

    /// Whether the host has marked the entry, and a post may not reach it.
    var isWatched: Bool { details.isWatched && roster.isFiltered }

    /// The tie of an entry that ends with an owner.
    var ownerTie: AnyObject? { details.hasOwner ? details.tie : nil }

    /// Whether the entry has been neither cancelled nor met.
    var isLive: Bool { entry.isLive }

    /// Why the entry ends, if one of both is known to be dead; `nil` also if the entry was cancelled.
    ///
    /// - Parameters:
    ///   - host: The host of the channel, which knows whether an owner is alive.
    ///   - looksAtSenders: Whether the caller may look at a sender: one that is not `Sendable` belongs to an actor.
    /// - Returns: The reason.
    func end(_ host: any ChannelHost, looksAtSenders: Bool) -> EntryEnd? {
        if details.hasOwner, let tie = details.tie, !host.isAlive(tie) { return .ownerGone }
        return !looksAtSenders || roster.isAlive ? nil : .senderGone
    }
}

extension Channel {
    /// Ends some of the entries whose owner or sender is dead: all of them, if few entries have any.
    @inline(__always)
    final func cancelSomeDead(looksAtSenders: Bool) {
        if everyone.flags.contains(.hasMortals) { endDeadBeforeRegistration(looksAtSenders: looksAtSenders) }
    }

    /// The same, for a post or a registration that finds no lane.
    final func endDeadWithoutLane(_ effort: Mortals.Effort, looksAtSenders: Bool) {
        while true {
            let (some, areOthersLeft) = withState { $0.mortals.some(effort) }
            var count = 0
            // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
            for mortal in some where mortal.isLive {
                guard let end = mortal.end(host, looksAtSenders: looksAtSenders) else { continue }
                cancel(mortal.entry, end)
                count += 1
            }
            // Those that were registered together often die together.
            if count == 0 || !areOthersLeft { return }
        }
    }

    /// Ends the entries of dead objects that had the address of this one: in the index they would be in its way.
    final func cancelPredecessors(_ tag: UInt) {
        let entries = withState { state in
            // The caller holds the object at the address, so the look at the reference is not the end of it.
            let roster = unsafe state.senders.first(tag) { !$0.isAlive }
            let entries = unsafe roster.map { unsafe $0.takeUnretainedValue().liveEntries() } ?? []
            for entry in entries { entry.chunk.retain() }
            return entries
        }
        for entry in entries {
            cancel(entry, .senderGone)
            entry.chunk.release()
        }
    }
}

extension Channel {
    /// Ends the entries of an owner.
    ///
    /// - Parameters:
    ///   - owner: The owner's address, as the host tells it of a tie.
    ///   - isMeant: Whether the tie of an entry is to that owner. It is called with no lock held.
    /// - Returns: The ties of the entries that were ended.
    package final func cancel(ownedBy owner: UInt, whereTie isMeant: (AnyObject) -> Bool) -> [AnyObject] {
        guard everyone.flags.contains(.hasMortals) || hasFinished else { return [] }
        var ended = endedTies().filter(isMeant)
        for mortal in withState({ $0.mortals.entries(of: owner, host) }) where mortal.isLive {
            guard let tie = mortal.ownerTie, isMeant(tie) else { continue }
            cancel(mortal.entry, .cancelled)
            ended.append(tie)
        }
        return ended
    }
}

extension Mortals {
    /// The entries of the owner at an address, among them such as have ended. The first call for a list goes through all of it,
    /// later ones through what was added since.
    mutating func entries(of owner: UInt, _ host: any ChannelHost) -> [Mortal] {
        if indexed !== list { (indexed, byOwner, indexedCount) = (list, [:], 0) }
        for index in indexedCount..<list.count {
            list.withEntry(index) { mortal in
                guard let tie = mortal.ownerTie else { return }
                byOwner[host.owner(of: tie), default: []].append(mortal)
            }
        }
        indexedCount = list.count
        return byOwner[owner] ?? []
    }
}
