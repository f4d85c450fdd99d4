/// How an entry stands, as seen from outside.
@usableFromInline
package struct EntryStatus: Sendable {
    /// The entry's serial. Not the entry itself, whose memory may have been freed meanwhile.
    @usableFromInline package let serial: UInt64
    @usableFromInline package let details: EntryDetails

    /// The sender to which the entry is limited.
    @usableFromInline package let sender: Sender

    /// Whether a call of the entry is running.
    @usableFromInline package let isCalled: Bool

    /// What tells that call from others of the entry, if the post is in a lane: as long as it is the same, so is the call.
    @usableFromInline package let call: UInt?

    @usableFromInline
    package enum Sender: @unchecked Sendable {  // a value is only described
        case everyone
        case object(type: Any.Type, address: ObjectIdentifier)
        case value(Any)
        case unmatched
    }
}

extension Channel {
    private struct Known {
        let entry: Entry
        let details: EntryDetails
        let roster: Roster
        let position: (Int, Int)
        let isCalled: Bool
        let call: UInt?
    }

    /// How the entries stand, in the order of their registration; those that have ended with an owner or a sender are taken
    /// out.
    @usableFromInline
    package final func statuses() -> [EntryStatus] {
        let known = withState { state in
            // Once, and not for each entry: there may be many, and each scan goes through all lanes.
            let inLanes = lanes.numberedCalls(of: name)
            let withoutLane = Set(state.callsWithoutLane.map(\.address))
            return state.rosters(with: everyone).flatMap { roster in
                roster.liveEntries().map { look(at: $0, in: roster, inLanes, withoutLane) }
            }
        }
        defer { for known in known { known.entry.chunk.release() } }
        // Looking at weak references may run the `deinit` of what they referred to, so no lock is held.
        return known.sorted { $0.position < $1.position }.compactMap { known in
            guard isActive(known.entry) else {
                // Then it ends by itself, when the posts that are under way have.
                if hasFinished { return nil }
                let isOwned = known.details.hasOwner && known.roster.isAlive
                cancel(known.entry, isOwned ? .ownerGone : .senderGone)
                return nil
            }
            return EntryStatus(
                serial: known.entry.serial, details: known.details, sender: known.roster.senderForDescription,
                isCalled: known.isCalled, call: known.call)
        }
    }

    /// The caller releases the entry's chunk.
    private final func look(
        at entry: Entry, in roster: Roster, _ inLanes: [UInt: UInt], _ withoutLane: Set<UInt>
    ) -> Known {
        entry.chunk.retain()
        let call = inLanes[entry.address]
        return Known(
            entry: entry, details: entry.chunk.details(entry.index), roster: roster,
            // One that is limited to a sender stands before the one for every sender that was added next.
            position: roster.isFiltered ? (entry.chunk.position(entry.index), 0) : (entry.number, 1),
            isCalled: call != nil || withoutLane.contains(entry.address), call: call)
    }

    /// Changes what the host is told.
    ///
    /// - Parameter change: Makes the change in what posts read, and says what the host is told from now on, and what was
    ///   replaced: that is kept until the posts that may see it have left their lanes. It is called under the channel's lock, so
    ///   that of several threads the last one says what is true.
    /// - Returns: The entries that were there when it changed, by their serials, as their memory may be freed after the lock.
    package final func setMonitored(
        _ change: @Sendable () -> (interests: HostInterests, replaced: (any AnyObject & Sendable)?)
    ) -> [(serial: UInt64, details: EntryDetails)] {
        let (known, removed) = withState { state -> ([(serial: UInt64, details: EntryDetails)], Removed) in
            let (interests, replaced) = change()
            var removed = Removed()
            state.interests = interests
            publish(&state, everyone)
            if let replaced { removed.parts().hosted = replaced }
            let known = state.rosters(with: everyone).flatMap { $0.liveEntries() }.map { entry in
                (serial: entry.serial, details: entry.chunk.details(entry.index))
            }
            return (known, removed)
        }
        retire(removed)
        return known
    }
}

extension Channel {
    /// Whether a post can reach an entry.
    package final func isActive(_ entry: Entry) -> Bool {
        let found = withState { state -> (roster: Roster, details: EntryDetails)? in
            guard state.isOpen, state.finish == nil, entry.isLive else { return nil }
            return (entry.roster, entry.chunk.details(entry.index))
        }
        guard let (roster, details) = found else { return false }
        if details.hasOwner, let tie = details.tie, !host.isAlive(tie) { return false }
        return hasMainActorSenders || roster.isAlive
    }

    /// Whether the center is alive.
    package final var isOpen: Bool { withState { $0.isOpen } }
}
