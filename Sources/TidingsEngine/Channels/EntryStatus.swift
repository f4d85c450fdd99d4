@usableFromInline
package struct EntryStatus: Sendable {
    /// Identifies the entry, whose memory may have been freed.
    @usableFromInline package let serial: UInt64
    @usableFromInline package let details: EntryDetails

    @usableFromInline package let sender: Sender

    @usableFromInline package let isCalled: Bool

    /// A number that identifies the post that is calling the entry; `nil` if no post is calling the entry, or if the
    /// post has no lane. Posts that race for a lane may have the same number. The number is only used to report how
    /// long a call has been running.
    @usableFromInline package let call: UInt?

    @usableFromInline
    package enum Sender: @unchecked Sendable {  // a value is only described
        case everyone
        case object(type: Any.Type, address: ObjectIdentifier)
        case value(Any)
        case unmatched
    }
}

extension KeptEntry {
    func status(isCalled: Bool, call: UInt? = nil) -> EntryStatus {
        EntryStatus(
            serial: entry.serial, details: details, sender: roster.senderForDescription, isCalled: isCalled, call: call)
    }
}

extension Channel {
    /// Returns the live entries, in the order in which posts call them. Ends entries whose owner or sender has been
    /// deallocated.
    @usableFromInline
    package final func statuses() -> [EntryStatus] {
        // All lanes are scanned once, and not for each entry, because there may be many entries.
        let (entries, calls) = withState { state in (state.entries(with: everyone), state.calls(in: self)) }
        // Reading a weak reference may run the `deinit` of its object, so no lock is held.
        return entries.inOrder.compactMap { kept in
            guard isActive(kept.entry) else {
                // The entries of a finished channel end on their own, when the running posts have left.
                if hasFinished { return nil }
                if let end = kept.end(host, looksAtSenders: !hasMainActorSenders) { kept.entry.cancel(end) }
                return nil
            }
            let call = calls[kept.entry.address]
            return kept.status(isCalled: call != nil, call: call == 0 ? nil : call)
        }
    }

    /// The entries of ``statuses()`` or, once the channel has begun to finish, those of ``finishing()``. No entry is
    /// listed twice or omitted, even if the channel begins to finish during the call.
    @usableFromInline
    package final func allStatuses() -> [EntryStatus] {
        let live = statuses()
        let kept = finishing().entries
        return kept.isEmpty ? live : kept
    }

    /// Changes the events that the host receives. Returns the serials and details of the live entries, and not the
    /// entries themselves, which may be freed in the meantime.
    ///
    /// `change` is called under the channel's lock, so that concurrent changes are ordered. It updates the data that
    /// posts read, and returns the replaced object, which is kept until the posts that may see it have left.
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
    package final func isActive(_ entry: Entry) -> Bool {
        let found = withState { state -> (roster: Roster, details: EntryDetails)? in
            guard state.isOpen, state.finish == nil, entry.isLive else { return nil }
            return (entry.roster, entry.chunk.details(entry.index))
        }
        guard let (roster, details) = found else { return false }
        if details.hasOwner, let tie = details.tie, !host.isAlive(tie) { return false }
        return hasMainActorSenders || roster.isAlive
    }

    package final var isOpen: Bool { withState { $0.isOpen } }
}
