/// The end of a channel: posts that have begun come to their end, and no other one calls an entry. So do hand-overs: see
/// ``Channel/call(_:with:)``.
///
/// An ordinary post does not pay for this, as it loads nothing that it would not load otherwise. A post has begun when it has
/// loaded, in its lane, the head of the roster for every sender; or, if it calls only observers of its sender, when it has loaded
/// the number of entries there. The end stores that head and that number, and scans the lanes after it; all of these steps, and
/// the claim of a lane before the loads, are sequentially consistent. So either a post loads what the end has stored: then it
/// calls no entry. Or it has claimed its lane before the scan, which finds it: then it calls all that it would have called, as no
/// entry ends before it has left.
///
/// Where the host admits posts, nothing is hidden: what it has admitted finds all entries until it has left; see ``Channel/enter()``.
extension Channel {
    /// Lets no post that begins from now on call an entry, and takes no entry any more. Posts that have begun come to their end;
    /// then all entries end.
    ///
    /// - Parameter whenLeft: Called when no post is under way any more and all entries have ended, on whatever thread; at once if
    ///   that is so already.
    @usableFromInline
    package final func finish(_ whenLeft: @escaping @Sendable () -> Void) {
        let (isLeft, hidden) = withState { state -> (Bool, Removed) in
            var hidden = Removed()
            let finish = state.finish ?? begin(&state, &hidden)
            if finish.phase != .ended { finish.whenLeft.append(whenLeft) }
            return (finish.phase == .ended, hidden)
        }
        if isLeft { whenLeft() }
        retire(hidden)
    }

    /// Whether the channel has finished, or is about to.
    package final var hasFinished: Bool { withState { $0.finish != nil } }

    /// Whether the channel has finished, and its entries were hidden.
    final var hidesEntries: Bool { withState { $0.hidesEntries } }

    private final func begin(_ state: inout sending ChannelState, _ hidden: inout Removed) -> ChannelFinish {
        let entries = state.rosters(with: everyone).flatMap { roster in
            roster.liveEntries().map { FinishingEntry($0, in: roster) }
        }
        let finish = ChannelFinish(
            .waitsForLanes, hidesEntries: !host.admitsPosts, entries: entries.sorted { $0.position < $1.position })
        state.finish = finish
        let parts = hidden.parts()
        if finish.hidesEntries { parts.hidden = everyone.hide(flagsWhenFinished(state)) }
        parts.whenFreed = { [self] in
            withState { $0.finish?.phase = .begun }
            endIfLeft()
        }
        return finish
    }

    /// What posts have to know of a channel that finishes, and hides its entries.
    ///
    /// Some entry seems to be limited to no sender: a post that has found entries, and loads this only then, has to load the head
    /// that is hidden.
    final func flagsWhenFinished(_ state: borrowing ChannelState) -> Roster.Flags {
        Self.flagsWithoutEntries(state.interests).union(.isShared)
    }

    /// Notes that a post has ended which found no lane.
    final func leaveWithoutLane() {
        let isLast = withState { state in
            changing.postsWithoutLane.wrappingSubtract(1, ordering: .relaxed).newValue == 0 && state.finish != nil
        }
        if isLast { endIfLeft() }
    }

    /// Ends the entries, if nothing is under way that began before the channel finished: no post, and no hand-over.
    final func endIfLeft() {
        let entries = withState { state -> [FinishingEntry]? in
            guard let finish = state.finish, finish.phase == .begun,
                changing.postsWithoutLane.load(ordering: .relaxed) == 0, state.handOvers.isEmpty
            else { return nil }
            finish.phase = .ending
            return finish.entries
        }
        guard let entries else { return }
        for entry in entries { cancel(entry.entry, .finished) }
        let whenLeft = withState { $0.finish?.end() ?? [] }
        for whenLeft in whenLeft { whenLeft() }
        // Until here: what they keep alive is released with no lock held.
        withExtendedLifetime(entries) {}
    }

    /// How the entries stand that there were when the channel began to finish, in the order of their registration.
    ///
    /// - Returns: The entries, as long as they have not ended, and after that those that have a tie; and whether they have ended.
    ///   One that is being handed something counts as called from the beginning to the end of that.
    @usableFromInline
    package final func finishing() -> (entries: [EntryStatus], haveEnded: Bool) {
        let (entries, ended, calls, haveEnded) = withState { state in
            let finish = state.finish
            let calls = state.calls(in: self).union(state.handOvers)
            return (finish?.entries ?? [], finish?.ended ?? [], calls, finish?.phase == .ended)
        }
        return (ended + entries.map { $0.status(isCalled: calls.contains($0.entry.address)) }, haveEnded)
    }

    /// The ties of entries that have ended as the channel finished, and of which what is queued may be left.
    final func endedTies() -> [AnyObject] { withState { $0.finish?.ended ?? [] }.compactMap(\.details.tie) }

    /// An entry that has never been live: that of a registration with a channel that has finished. Its closure is released at
    /// once.
    final func refuse(_ details: EntryDetails, moving observer: MovedObserver) -> Entry {
        let chunk = Chunk(size: .small, first: 0, channel: self, roster: everyone)
        // In raw memory, which no other thread has.
        unsafe observer.move(to: chunk.closureMemory(0))
        chunk.initialize(0, details, position: nil)
        let entry = Entry(chunk, 0)
        if everyone.flags.contains(.isMonitored) {
            host.didAdd(entry, details)
            host.didEnd(entry, details, .finished)
        }
        chunk.destroy(0)
        // All but the one that comes with the entry: that of a roster, and those of entries that will not be added.
        unsafe chunk.release(chunk.header.pointee.size.entries)
        return entry
    }
}

/// How far the end of a channel is; used under the channel's lock.
final class ChannelFinish {
    enum Phase {
        /// A post may be in a lane that began before.
        case waitsForLanes
        /// No such post is in a lane.
        case begun
        /// A thread has begun to end the entries.
        case ending
        case ended
    }

    var phase: Phase

    /// Whether the entries are hidden from posts.
    let hidesEntries: Bool

    /// The entries that are to end, in the order of their registration.
    private(set) var entries: [FinishingEntry]

    /// Those of them that have ended and had a tie.
    private(set) var ended: [EntryStatus] = []

    var whenLeft: [@Sendable () -> Void] = []

    init(_ phase: Phase, hidesEntries: Bool, entries: [FinishingEntry] = []) {
        self.phase = phase
        self.hidesEntries = hidesEntries
        self.entries = entries
    }

    /// Notes that the entries have ended.
    ///
    /// - Returns: The closures to be called when the lock is free.
    func end() -> [@Sendable () -> Void] {
        phase = .ended
        defer { (entries, whenLeft) = ([], []) }
        ended = entries.filter { $0.details.tie != nil }.map { $0.status(isCalled: false) }
        return whenLeft
    }
}

/// An entry of a channel that finishes. It keeps the memory of the entry, not the closure.
final class FinishingEntry: Sendable {
    let entry: Entry
    let details: EntryDetails
    private let roster: Roster
    private let serial: UInt64

    /// Where the entry stands in the order of registration: as in ``Channel/statuses()``.
    let position: (Int, Int)

    init(_ entry: Entry, in roster: Roster) {
        self.entry = entry
        self.roster = roster
        details = entry.details
        serial = entry.serial
        position = roster.isFiltered ? (entry.chunk.position(entry.index), 0) : (entry.number, 1)
        entry.chunk.retain()
    }

    deinit { entry.chunk.release() }

    func status(isCalled: Bool) -> EntryStatus {
        EntryStatus(
            serial: serial, details: details, sender: roster.senderForDescription, isCalled: isCalled,
            call: nil)
    }
}
