/// The entries of a channel that end when their owner or sender is deallocated. A deallocation causes no event, so
/// posts and registrations check the entries. If there are few, a check visits all of them. Otherwise, it visits some
/// of them, and continues while it finds entries that have to end. So more live entries don't make a check slower.
package struct Mortals {
    package struct Effort {
        /// If there are at most this many entries, a check visits all of them.
        let few: Int
        /// If there are more than `few` entries, a check visits this many at a time.
        let atOnce: Int

        /// Both numbers are small, because a post should spend little time on entries that it doesn't call.
        package static let ofPost = Effort(few: 16, atOnce: 4)
        /// The check of a registration takes a few microseconds at most, unless it ends entries.
        package static let ofRegistration = Effort(few: 256, atOnce: 64)
    }

    private(set) var list = WatchList.empty

    private var next = 0

    private var byOwner: [UInt: [KeptEntry]] = [:]
    private var indexed: WatchList?
    private var indexedCount = 0

    var isEmpty: Bool { list.count == 0 }

    mutating func replace(with renewed: WatchList, _ replaced: inout Removed) {
        let parts = replaced.parts()
        // The old list and its contents are released with `replaced`, after the unlock.
        (parts.mortals, parts.mortalsByOwner) = (list, byOwner)
        (list, byOwner, indexed, indexedCount) = (renewed, [:], nil, 0)
    }

    /// Returns the index at which the next check without a lane begins. Consecutive checks rotate through the entries.
    mutating func nextPlace(_ effort: Effort) -> Int {
        let place = next < list.count ? next : 0
        next = place + effort.atOnce
        return place
    }
}

extension KeptEntry {
    var isWatched: Bool { details.isWatched && roster.isFiltered }

    var ownerTie: AnyObject? { details.hasOwner ? details.tie : nil }

    var isLive: Bool { entry.isLive }

    /// Returns why the entry has to end; `nil` unless its owner or sender is known to be dead. The sender is checked
    /// only if `looksAtSenders` is true, because a sender that isn't `Sendable` must only be accessed on its actor.
    func end(_ host: any ChannelHost, looksAtSenders: Bool) -> EntryEnd? {
        if details.hasOwner, let tie = details.tie, !host.isAlive(tie) { return .ownerGone }
        return !looksAtSenders || roster.isAlive ? nil : .senderGone
    }
}

extension Channel {
    @inline(__always)
    final func cancelSomeDead(looksAtSenders: Bool) {
        if everyone.flags.contains(.hasMortals) { endDeadBeforeRegistration(looksAtSenders: looksAtSenders) }
    }

    /// Ends entries whose owner or sender is dead, while a lane keeps their closures. Without the lane, a captured
    /// object's `deinit` that registers an observer would end the next such entry, and so on, in ever deeper nesting.
    @inline(never)
    private final func endDeadBeforeRegistration(looksAtSenders: Bool) {
        let lane = lanes.claim(name)
        endDeadWithoutLane(.ofRegistration, looksAtSenders: looksAtSenders)
        if let lane, !lane.leave(name) { leaveMarked(lane) }
    }

    /// Ends the entries of a deallocated sender, at whose former address, `tag`, the caller holds another object.
    final func cancelPredecessors(_ tag: UInt) {
        let entries = withState { state in
            // The caller holds the object at the address, so this doesn't release the last reference to it.
            let roster = unsafe state.senders.first(tag) { !$0.isAlive }
            let entries = unsafe roster.map { unsafe $0.takeUnretainedValue().liveEntries() } ?? []
            for entry in entries { entry.chunk.retain() }
            return entries
        }
        for entry in entries {
            entry.cancel(.senderGone)
            entry.chunk.release()
        }
    }
}

extension Channel {
    /// Ends the entries of an owner. Returns their ties and the owner's ``endedTies()``. `owner` is the result of
    /// ``ChannelHost/owner(of:)``. `isMeant` returns whether a tie is that owner's, and is called without a lock.
    package final func cancel(ownedBy owner: UInt, whereTie isMeant: (AnyObject) -> Bool) -> [AnyObject] {
        guard everyone.flags.contains(.hasMortals) || hasFinished else { return [] }
        var ended = endedTies().filter(isMeant)
        for mortal in withState({ $0.mortals.entries(of: owner, host) }) where mortal.isLive {
            guard let tie = mortal.ownerTie, isMeant(tie) else { continue }
            mortal.entry.cancel(.cancelled)
            ended.append(tie)
        }
        return ended
    }
}

/// An entry, with a reference to its chunk that the receiver has to release.
package typealias OwnedEntry = (entry: Entry, details: EntryDetails, sender: EntryStatus.Sender)

extension Channel {
    /// Returns the live entries of an owner, in the order of registration; see ``Channel/cancel(ownedBy:whereTie:)``.
    package final func entries(ownedBy owner: UInt, whereTie isMeant: (AnyObject) -> Bool) -> [OwnedEntry] {
        guard everyone.flags.contains(.hasMortals) else { return [] }
        return withState({ $0.mortals.entries(of: owner, host) }).compactMap { mortal in
            guard mortal.isLive, let tie = mortal.ownerTie, isMeant(tie) else { return nil }
            // `mortal` keeps the chunk alive.
            mortal.entry.chunk.retain()
            return (entry: mortal.entry, details: mortal.details, sender: mortal.roster.senderForDescription)
        }
    }
}

extension Mortals {
    /// Returns the entries of an owner, including ended entries.
    mutating func entries(of owner: UInt, _ host: any ChannelHost) -> [KeptEntry] {
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
