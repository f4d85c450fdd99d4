extension Channel {
    /// An entry with what is known about it, taken out under the lock.
    private struct Known {
        let entry: Entry
        let registration: ObserverRegistration
        let roster: Roster
        let position: (Int, Int)
        let isCalled: Bool
    }

    /// How the observations stand, in the order of their registration; those that have ended with an owner or a sender are
    /// taken out.
    final func observations() -> [ObservationStatus] {
        let known = withState { state in
            state.rosters(with: everyone).flatMap { roster in
                roster.liveEntries().map { look(at: $0, in: roster, state) }
            }
        }
        defer { for known in known { known.entry.chunk.release() } }
        // Looking at weak references may run the `deinit` of what they referred to, and describing a value is its own
        // code, so no lock is held.
        return known.sorted { $0.position < $1.position }.compactMap { known in
            let owner = known.registration.owner
            if owner?.isAlive == false || !known.roster.isAlive {
                cancel(known.entry)
                return nil
            }
            let queue = known.registration.queue?.status
            return ObservationStatus(
                observer: ObserverDescription(known.entry.word, of: subject, known.registration),
                sender: known.registration.sender ?? known.roster.sender.words, owner: owner?.words,
                queued: queue?.queued ?? 0,
                dropped: queue?.dropped ?? 0, isRunning: queue?.isRunning ?? known.isCalled)
        }
    }

    /// The caller releases the entry's chunk.
    private final func look(at entry: Entry, in roster: Roster, _ state: borrowing ChannelState) -> Known {
        entry.chunk.retain()
        return Known(
            entry: entry, registration: entry.chunk.registration(entry.index), roster: roster,
            // One that is limited to a sender stands before the one for every sender that was added next.
            position: roster.isFiltered ? (entry.chunk.position(entry.index), 0) : (entry.number, 1),
            isCalled: isCalling(entry, state))
    }
}

extension ChannelState {
    /// All rosters of a channel.
    func rosters(with everyone: Roster) -> [Roster] { senders.rosters() + unmatched + [everyone] }
}

extension SenderReference {
    /// The sender in words; `nil` for every sender.
    fileprivate var words: String? {
        switch self {
        case .everyone: nil
        case .object(let reference): reference.object.map(describe) ?? "gone"
        case .value(let value): String(describing: value.base)
        case .unmatched: "a sender that is the same as no other"
        }
    }
}
