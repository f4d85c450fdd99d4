public import Synchronization

/// The observers of one notification type in one center.
///
/// Here is what does not depend on the type; ``TypedChannel`` calls the closures. Posts read rosters without a lock, in a
/// lane; everything that changes them happens under the channel's lock, and what is taken out is freed when no post can
/// see it.
@usableFromInline
@safe
class Channel: @unchecked Sendable {  // what is not atomic or immutable is in `state`, under its lock
    /// The observers of every sender.
    @usableFromInline final let everyone = Roster(of: .none)

    /// The index of the observers of one sender: the address of the table that `state` holds.
    @usableFromInline final let senders: Atomic<UnsafeRawPointer>

    /// The lanes of the process, at hand for every post.
    @usableFromInline final let lanes = Lanes.shared

    /// The center, by identity.
    final let center: ObjectIdentifier

    /// What is observed.
    final let subject: NotificationSubject

    /// The monitors of the center.
    final let monitoring: Monitoring

    /// What changes, in memory of its own: posts read this object, and do not wait for it while others register.
    private final let changing: ChannelLock

    init(center: ObjectIdentifier, subject: NotificationSubject, monitoring: Monitoring) {
        self.center = center
        self.subject = subject
        self.monitoring = monitoring
        let table = SenderTable.empty
        var state = ChannelState(senders: table)
        state.isMonitored = monitoring.isActive
        if state.isMonitored { everyone.publish([.hasEntries, .isMonitored]) }
        changing = ChannelLock(state)
        unsafe senders = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(table).toOpaque()))
        precondition(name & Lane.lowBits == 0, "the low bits of an object's address are zero, and a lane uses them")
    }

    /// The channel's name in a lane: its address, whose low bits are zero.
    @inlinable final var name: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

    // MARK: Adding

    /// Adds an entry for every sender. `initialize` makes the closure in the entry's memory.
    ///
    /// - Returns: The entry, with a reference to its chunk that the caller releases.
    @usableFromInline
    final func add(_ registration: ObserverRegistration, initialize: (UnsafeMutableRawPointer) -> Void) -> Entry {
        cancelSomeDead(.ofRegistration)
        let (entry, replaced) = withState { state in
            var replaced = Removed()
            let entry = unsafe append(registration, to: everyone, in: &state, &replaced, initialize: initialize)
            return (entry, replaced)
        }
        retire(replaced)
        if everyone.flags.contains(.isMonitored) { didAdd(entry, registration) }
        return entry
    }

    /// Adds an entry for one sender.
    @usableFromInline
    final func add(
        _ registration: ObserverRegistration, sender: SenderIdentity, initialize: (UnsafeMutableRawPointer) -> Void
    ) -> Entry {
        cancelSomeDead(.ofRegistration)
        cancelPredecessors(of: sender)
        var search = SenderSearch(sender)
        while true {
            let added = withState { state -> (entry: Entry, replaced: Removed)? in
                var replaced = Removed()
                guard let roster = roster(of: sender, search: &search, in: &state, &replaced) else { return nil }
                let entry = unsafe append(registration, to: roster, in: &state, &replaced, initialize: initialize)
                return (entry, replaced)
            }
            if let added {
                retire(added.replaced)
                if everyone.flags.contains(.isMonitored) { didAdd(added.entry, registration) }
                return added.entry
            }
            search.compare()
        }
    }

    private final func append(
        _ registration: ObserverRegistration, to roster: Roster, in state: inout ChannelState,
        _ replaced: inout Removed,
        initialize: (UnsafeMutableRawPointer) -> Void
    ) -> Entry {
        let (isMortal, isWatched) = traits(of: registration, in: roster)
        let entry = unsafe roster.append(
            registration, position: roster.isFiltered ? everyone.addedCount : nil, to: self, &replaced,
            initialize: initialize)
        if isMortal { state.mortals.insert(Mortal(entry: entry, owner: registration.owner, roster: roster)) }
        if isWatched { state.watched += 1 }
        state.liveCount += 1
        publish(state, roster)
        return entry
    }

    /// Whether an observer ends with an owner or a sender, and whether posts that do not reach it must look if it has ended.
    @inline(__always)
    private final func traits(of registration: ObserverRegistration?, in roster: Roster) -> (
        isMortal: Bool, isWatched: Bool
    ) {
        guard let registration, registration.isSpecial else { return (roster.isMortal, false) }
        let hasOwner = registration.owner != nil
        return (
            hasOwner || roster.isMortal, roster.isFiltered && (hasOwner || registration.delivery == .sequence)
        )
    }

    /// The roster for a sender, made if there is none; `nil` if that is undecided.
    private final func roster(
        of identity: SenderIdentity, search: inout SenderSearch, in state: inout ChannelState,
        _ replaced: inout Removed
    ) -> Roster? {
        if case .none = identity { return everyone }
        switch search.find(in: state.senders) {
        case .found(let roster): return roster
        case .undecided: return nil
        case .absent: break
        }
        let roster = Roster(of: identity)
        guard let tag = roster.tag else {
            state.unmatched.append(roster)
            return roster
        }
        if state.senders.isFull {
            replaced.parts().table = state.senders
            state.senders = state.senders.grown()
            unsafe senders.store(Unmanaged.passUnretained(state.senders).toOpaque(), ordering: .sequentiallyConsistent)
        }
        state.senders.insert(roster, tag: tag)
        return roster
    }

    // MARK: Cancelling

    /// Ends an entry. Its closure is freed now, or by the last post that may be calling it.
    final func cancel(_ entry: Entry) {
        let chunk = entry.chunk
        let index = entry.index(in: chunk)
        // The end of a token that was cancelled need not lock.
        if !chunk.isLive(index) { return }
        if everyone.flags.contains(.isMonitored) { return cancelMonitored(entry) }
        retire(end(index, of: chunk, entry).removed)
    }

    /// Ends an entry, unless it has ended.
    ///
    /// - Returns: What is to be freed, and whether the entry has ended now.
    @inline(__always)
    private final func end(_ index: Int, of chunk: Chunk, _ entry: Entry) -> (removed: Removed, hasEnded: Bool) {
        withState { state in
            if !chunk.isLive(index) { return (Removed(), false) }
            var removed = Removed(entry: entry)
            unsafe chunk.header.pointee.roster._withUnsafeGuaranteedRef { roster in
                remove(index, of: chunk, from: roster, in: &state, &removed)
            }
            return (removed, true)
        }
    }

    /// Ends an entry, and tells the monitors.
    private final func cancelMonitored(_ entry: Entry) {
        let observer = observer(entry)
        let (removed, hasEnded) = end(entry.index, of: entry.chunk, entry)
        retire(removed)
        if hasEnded, let observer { monitoring.send(.ended(observer)) }
    }

    /// Frees what was taken out: now, if no post can see it, else when the last post that may see it has left.
    private final func retire(_ removed: consuming Removed) {
        if removed.isEmpty { return }
        if lanes.haveLeft(name) { return free(removed) }
        let retired = removed
        free(withState { state in state.retire(retired, from: self) })
    }

    private final func remove(
        _ index: Int, of chunk: Chunk, from roster: Roster, in state: inout ChannelState, _ removed: inout Removed
    ) {
        let (isMortal, isWatched) = traits(
            of: chunk.hasSpecial ? chunk.registration(index) : nil, in: roster)
        chunk.clearLive(index)
        roster.liveCount -= 1
        if chunk.live == 0 { roster.unlinkIfFull(chunk, &removed) }
        if isWatched { state.watched -= 1 }
        if isMortal { state.mortals.noteDeath(&removed) }
        if roster.liveCount == 0, roster !== everyone { state.forget(roster, &removed) }
        state.liveCount -= 1
        publish(state, roster)
    }

    /// Ends every entry, as the center is gone: nobody can post any more.
    final func close() {
        let entries = withState { state in
            state.isOpen = false
            let entries = state.rosters(with: everyone).flatMap { $0.liveEntries() }
            // What is released below may end tokens, which held the chunks.
            for entry in entries { entry.chunk.retain() }
            return entries
        }
        for entry in entries {
            cancel(entry)
            entry.chunk.release()
        }
        // A roster keeps its chunks, and they keep the channel. Those of a sender are gone by now. Locked, as another thread
        // may have ended the last entry, and not yet be done with the roster.
        withState { _ in everyone.releaseChunks() }
    }

    /// Publishes what posts have to know.
    final func publish(_ state: ChannelState, _ roster: Roster) {
        var flags: Roster.Flags = []
        if state.liveCount > 0 || state.isMonitored { flags.insert(.hasEntries) }
        if state.liveCount != everyone.liveCount { flags.insert(.isFiltered) }
        if !state.mortals.isEmpty { flags.insert(.hasMortals) }
        if state.watched > 0 { flags.insert(.isWatched) }
        if state.isMonitored { flags.insert(.isMonitored) }
        if roster !== everyone { roster.publish([]) }
        everyone.publish(flags)
    }

    /// Frees what no post can see any more; no lock is held, as this runs the `deinit` of what a closure captured.
    private final func free(_ removed: consuming Removed) {
        if let entry = removed.entry { entry.chunk.destroy(entry.index) }
    }

    // MARK: The lock, and posts that were marked

    /// Takes a step under the lock.
    @inline(__always)
    final func withState<Result>(_ step: (inout sending ChannelState) -> sending Result) -> Result {
        let result = changing.state.withLock(step)
        if changing.hasDepartures.load(ordering: .sequentiallyConsistent) { freeDeparted() }
        return result
    }

    /// Leaves a lane that was marked.
    @usableFromInline
    final func leaveMarked(_ lane: Lane) {
        lane.depart(name)
        changing.hasDepartures.store(true, ordering: .sequentiallyConsistent)
        freeDeparted()
    }

    /// Frees what waited for posts that have departed. Whoever holds the lock meanwhile does so after letting it go, and has
    /// what is freed closer at hand than a post that would have to wait.
    ///
    /// The end of a lock is a read-modify-write step on every system that this runs on. So the flag is not read before others
    /// see that the lock is free, and a post that finds it held is never overlooked.
    private final func freeDeparted() {
        while changing.hasDepartures.load(ordering: .sequentiallyConsistent) {
            let taken = changing.state.withLockIfAvailable { state in
                changing.hasDepartures.store(false, ordering: .sequentiallyConsistent)
                let departed = lanes.departed(from: name)
                let freed = state.retired.take(waitingFor: departed)
                lanes.clear(departed)
                // A drain may have marked the post, so that its leaving ends the wait.
                return (freed: freed, ended: state.takeEndedDrains(in: self))
            }
            guard let taken else { return }
            for continuation in taken.ended { continuation.resume() }
            for removed in taken.freed {
                free(removed)
                removed.entry?.chunk.release()
            }
        }
    }

    // MARK: The dead

    /// Ends some of the observers whose owner or sender is dead: all of them, if few observers have any.
    @inline(__always)
    final func cancelSomeDead(_ effort: Mortals.Effort) {
        if everyone.flags.contains(.hasMortals) { cancelDead(effort) }
    }

    private final func cancelDead(_ effort: Mortals.Effort) {
        while true {
            let (some, areOthersLeft) = withState { $0.mortals.some(effort) }
            var count = 0
            // Looking at a weak reference may run the `deinit` of what it referred to, so no lock is held.
            for mortal in some where mortal.isLive && !mortal.isAlive {
                cancel(mortal.entry)
                count += 1
            }
            // Those that were registered together often die together.
            if count == 0 || !areOthersLeft { return }
        }
    }

    /// Ends the observers of a dead object that had the address of this one: in the index they would be in its way.
    private final func cancelPredecessors(of sender: SenderIdentity) {
        guard case .object = sender else { return }
        let entries = withState { state in
            let entries = state.senders.predecessor(of: sender)?.liveEntries() ?? []
            for entry in entries { entry.chunk.retain() }
            return entries
        }
        for entry in entries {
            cancel(entry)
            entry.chunk.release()
        }
    }

    /// Whether a post can reach an entry.
    final func isActive(_ entry: Entry) -> Bool {
        let found = withState { state -> (roster: Roster, owner: ObserverOwner?)? in
            guard state.isOpen, entry.isLive else { return nil }
            return (entry.roster, entry.chunk.registration(entry.index).owner)
        }
        guard let found else { return false }
        return found.roster.isAlive && found.owner?.isAlive != false
    }

    /// Whether the center is alive.
    final var isOpen: Bool { withState { $0.isOpen } }
}
