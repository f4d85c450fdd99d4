public import Synchronization

/// The observers of one notification type in one center.
///
/// Here is what does not depend on the type; ``TypedChannel`` calls the closures. Posts read rosters without a lock, in a
/// lane; everything that changes them happens under the channel's lock, and what is taken out is freed when no post can
/// see it.
@usableFromInline
@safe
class Channel: @unchecked Sendable {  // what is not atomic or immutable is in `state`, under its lock
    /// Bits of ``summary`` below the number of live entries.
    @usableFromInline static let isFiltered = 1
    @usableFromInline static let isWatched = 2
    static let oneEntry = 4

    /// How many entries are live, whether some are limited to a sender, and whether a post has to look for the dead.
    @usableFromInline final let summary = Atomic<Int>(0)

    /// The observers of every sender.
    @usableFromInline final let everyone = Roster(of: .none)

    /// The index of the observers of one sender: the address of the table that `state` holds.
    @usableFromInline final let senders: Atomic<UnsafeRawPointer>

    /// The center, by identity.
    final let center: ObjectIdentifier

    final let state: Lock<ChannelState>

    init(center: ObjectIdentifier) {
        self.center = center
        let table = SenderTable.empty
        state = Lock(ChannelState(senders: table))
        unsafe senders = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(table).toOpaque()))
    }

    /// The channel's name in a lane: its address, whose low bits are zero.
    @inlinable final var name: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

    /// Destroys the closure of an entry that no post can see.
    func destroyClosure(at address: UnsafeMutableRawPointer) {
        preconditionFailure("a channel is a typed one")
    }

    // MARK: Adding

    /// Adds an entry. `initialize` makes the closure in the entry's memory.
    ///
    /// - Returns: The entry, with a reference to its chunk that the caller releases.
    @usableFromInline
    final func add(
        _ identity: SenderIdentity, _ registration: Registration, initialize: (UnsafeMutableRawPointer) -> Void
    ) -> Entry {
        cancelSomeDead()
        let (entry, removed) = state.withLock { state -> (Entry, Removed?) in
            var removed = Removed()
            let roster = roster(of: identity, in: &state, replaced: &removed)
            let position = everyone.count.load(ordering: .relaxed)
            let details = EntryDetails(position: position, registration: registration)
            let entry: Entry
            (entry, removed.chunk) = unsafe roster.append(details, to: self, initialize: initialize)
            // One for the closure, one for the caller.
            entry.chunk.retain(2)
            let isMortal = roster.sender.isMortal || registration.owner != nil
            if isMortal { state.mortals.insert(Mortal(entry: entry, owner: registration.owner, roster: roster)) }
            let isWatched = roster !== everyone && (registration.owner != nil || registration.delivery == .sequence)
            if isWatched { state.watched += 1 }
            updateSummary(&state, by: 1)
            return (entry, state.retire(removed, from: self))
        }
        if let removed { free(removed) }
        return entry
    }

    /// The roster for a sender, made if there is none. That of a dead object at the same address is replaced.
    private final func roster(
        of identity: SenderIdentity, in state: inout ChannelState, replaced: inout Removed
    ) -> Roster {
        if case .none = identity { return everyone }
        if let roster = state.senders.roster(of: identity) { return roster }
        let roster = Roster(of: identity)
        if let tag = identity.tag {
            if state.senders.isFull {
                replaced.table = state.senders
                state.senders = state.senders.grown()
                unsafe senders.store(
                    Unmanaged.passUnretained(state.senders).toOpaque(), ordering: .sequentiallyConsistent)
            }
            state.senders.insert(roster, tag: tag)
        } else {
            state.unmatched.append(roster)
        }
        return roster
    }

    // MARK: Cancelling

    /// Ends an entry. Its closure is freed now, or by the last post that may be calling it.
    final func cancel(_ entry: Entry) {
        let removed = state.withLock { state -> Removed? in
            guard entry.isLive else { return nil }
            return remove(entry, from: &state)
        }
        if let removed { free(removed) }
    }

    private final func remove(_ entry: Entry, from state: inout ChannelState) -> Removed? {
        var removed = Removed(entry: entry)
        let roster = entry.roster
        let registration = entry.registration
        let chunk = entry.chunk
        entry.clear()
        roster.liveCount -= 1
        removed.chunk = roster.unlinkIfDead(chunk)
        if roster !== everyone, registration.owner != nil || registration.delivery == .sequence { state.watched -= 1 }
        if roster.sender.isMortal || registration.owner != nil { removed.mortals = state.mortals.noteDeath() }
        if roster.liveCount == 0 { removed.roster = state.forget(roster) }
        updateSummary(&state, by: -1)
        return state.retire(removed, from: self)
    }

    /// Ends every entry, as the center is gone: nobody can post any more.
    final func close() {
        while true {
            let entries = state.withLock { state in
                state.isOpen = false
                return (state.senders.rosters() + state.unmatched + [everyone]).flatMap { $0.liveEntries() }
            }
            if entries.isEmpty { return }
            for entry in entries { cancel(entry) }
        }
    }

    private final func updateSummary(_ state: inout ChannelState, by change: Int) {
        state.liveCount += change
        let isFiltered = state.liveCount != everyone.liveCount
        summary.store(
            state.liveCount * Channel.oneEntry + (state.watched > 0 ? Channel.isWatched : 0)
                + (isFiltered ? Channel.isFiltered : 0), ordering: .sequentiallyConsistent)
    }

    /// Frees what no post can see any more; no lock is held, as this runs the `deinit` of what a closure captured.
    private final func free(_ removed: Removed) {
        if let entry = removed.entry {
            unsafe destroyClosure(at: unsafe entry.pointer)
            entry.destroyDetails()
            entry.chunk.release()
        }
        removed.chunk?.release()
    }

    // MARK: Posts that were marked

    /// Leaves a lane that was marked: frees what waited for this post, and wakes those who drain.
    @usableFromInline
    final func leaveMarked(_ claim: Lanes.Claim) {
        let (freed, drains) = state.withLock { state in
            let freed = state.retired.takeAfterLeaving(claim.index)
            unsafe claim.lane.pointee.clear()
            return (freed, state.takeDrains())
        }
        for removed in freed { free(removed) }
        for drain in drains { drain.resume(returning: false) }
    }

    /// Wakes those who drain, as a call has ended in a marked lane.
    @usableFromInline
    final func callEnded(_ claim: Lanes.Claim) {
        let drains = state.withLock { state in
            unsafe claim.lane.pointee.unmark(Lanes.drainMark)
            return state.takeDrains()
        }
        for drain in drains { drain.resume(returning: false) }
    }

    // MARK: The dead

    /// Ends some of the observers whose owner or sender is dead: all of them, if few observers have any.
    @usableFromInline
    final func cancelSomeDead() {
        let some = state.withLock { $0.mortals.isEmpty ? [] : $0.mortals.some() }
        // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
        for mortal in some where !mortal.isAlive { cancel(mortal.entry) }
    }

    /// Whether a post can reach an entry.
    final func isActive(_ entry: Entry) -> Bool {
        let found = state.withLock { state -> (roster: Roster, owner: Owner?)? in
            guard state.isOpen, entry.isLive else { return nil }
            return (entry.roster, entry.registration.owner)
        }
        guard let found else { return false }
        return found.roster.sender.isAlive && found.owner?.isAlive != false
    }

    /// Whether the center is alive.
    final var isOpen: Bool { state.withLock { $0.isOpen } }
}
