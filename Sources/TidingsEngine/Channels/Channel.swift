/// The observers of one notification type in one center, stored as entries of rosters, which are lists.
/// ``TypedChannel`` adds the code that depends on the type. A post reads rosters without a lock. It claims a lane
/// first, which protects the memory that the post reads; see ``Lanes``. Rosters change only under the channel's lock.
/// Removed memory is freed when no post can see it.
@usableFromInline
@safe
package class Channel: @unchecked Sendable {  // properties are immutable, atomic or locked
    @usableFromInline final let everyone = Roster(.none)

    /// The address of the table in `ChannelState.senders`, for posts.
    final let senders: Atomic<UnsafeRawPointer>

    final let counters: LaneCounters
    final let distanceOfCounters: UInt

    /// The numbers of posts and calls. Only posts that were made while the flag `hasEntries` was set are counted.
    package final var counts: (posts: Int, calls: Int) { counters.sums }

    /// The address of the list in `ChannelState.watched`, for posts.
    final let watched: Atomic<UnsafeRawPointer>

    /// The address of the list in `ChannelState.mortals`, for posts.
    final let mortals: Atomic<UnsafeRawPointer>

    package final var mayRefuse: Bool { hasConditions.load(ordering: .relaxed) }

    package final func takeBack(_ calls: Int) { counters.takeBack(calls) }

    final let lanes = Lanes.shared

    final let hasConditions = AtomicByte(false)

    package final let host: any ChannelHost

    private final let modeLookedAt: UInt8

    /// Whether senders are isolated to the main actor, so that only code on that actor checks whether they are alive.
    final let hasMainActorSenders: Bool

    final let changing: ChannelLock

    init(_ host: any ChannelHost, _ interests: HostInterests, hasMainActorSenders: Bool, hasFinished: Bool = false) {
        self.host = host
        modeLookedAt = host.modeLookedAt
        self.hasMainActorSenders = hasMainActorSenders
        counters = LaneCounters()
        distanceOfCounters = counters.distance
        let table = SenderTable.empty
        let list = WatchList.empty
        var state = ChannelState(senders: table, watched: list, keepsEnded: host.keepsEnded)
        state.interests = interests
        if hasFinished { state.finish = ChannelFinish(.ended, hidesEntries: !host.admitsPosts) }
        everyone.publish(Self.flagsWithoutEntries(interests))
        changing = ChannelLock(state)
        unsafe senders = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(table).toOpaque()))
        unsafe watched = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(list).toOpaque()))
        unsafe mortals = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(list).toOpaque()))
        precondition(
            name & Lane.lowBits == 0, "the low bits of an object's address must be zero, because a lane uses them")
    }

    /// Posts `payload`, which has the channel's type, if the post only has to call every observer. Returns how many
    /// observers it called, or `nil` if it didn't post.
    @unsafe
    package func postIfPlain<Value>(_ payload: Value) -> Int? { nil }

    final var name: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

    /// Whether a post to the channel is in a lane.
    package final var hasPost: Bool { lanes.hasPost(to: name) }

    // MARK: - Adding

    /// Adds an entry to ``everyone``. The caller has to release the entry's reference to its chunk.
    @usableFromInline
    package final func add(_ details: EntryDetails, moving observer: MovedObserver) -> Entry {
        cancelSomeDead(looksAtSenders: !hasMainActorSenders)
        let (entry, replaced) = withState { state in
            var replaced = Removed()
            let entry = append(details, to: everyone, in: &state, &replaced, moving: observer)
            return (entry, replaced)
        }
        guard let entry else { return refuse(details, moving: observer) }
        return added(entry, details, replaced)
    }

    @usableFromInline
    final func add(_ details: EntryDetails, forObject sender: AnyObject, moving observer: MovedObserver) -> Entry {
        add(details, for: .object(sender), moving: observer)
    }

    final func add(
        _ details: EntryDetails, for search: consuming RosterSearch, moving observer: MovedObserver
    ) -> Entry {
        cancelSomeDead(looksAtSenders: true)
        if let tag = search.objectTag { cancelPredecessors(tag) }
        var search = search
        while true {
            let found = withState { state -> (entry: Entry?, replaced: Removed)? in
                var replaced = Removed()
                if state.finish != nil { return (nil, replaced) }
                guard let roster = roster(&search, in: &state, &replaced) else { return nil }
                let entry = append(details, to: roster, in: &state, &replaced, moving: observer)
                return (entry, replaced)
            }
            if let found {
                guard let entry = found.entry else { return refuse(details, moving: observer) }
                return added(entry, details, found.replaced)
            }
            search.compare()
        }
    }

    @inline(__always)
    private final func added(_ entry: Entry, _ details: EntryDetails, _ replaced: consuming Removed) -> Entry {
        if !replaced.isEmpty { retire(replaced) }
        if everyone.flags.contains(.isMonitored) { host.didAdd(entry, details) }
        return entry
    }

    @inline(__always)
    private final func append(
        _ details: EntryDetails, to roster: Roster, in state: inout ChannelState, _ replaced: inout Removed,
        moving observer: MovedObserver
    ) -> Entry? {
        if state.finish != nil { return nil }
        let entry = roster.append(
            details, position: roster === everyone ? nil : everyone.addedCount, to: self, &replaced, moving: observer)
        if details.mode == modeLookedAt { state.hasLookedAtMode = true }
        if details.isPlain, roster === everyone, publishPlain(live: state.liveCount + 1) {
            state.liveCount += 1
        } else {
            note(entry, details, in: roster, of: &state, &replaced)
        }
        return entry
    }

    /// Not inlined, because most entries need no tracking.
    @inline(never)
    private final func note(
        _ entry: Entry, _ details: EntryDetails, in roster: Roster, of state: inout ChannelState,
        _ replaced: inout Removed
    ) {
        if details.isConditional { state.count(conditional: details, 1) }
        if details.hasOwner || roster.isMortal {
            watch(KeptEntry(entry: entry, details: details, roster: roster), in: &state, &replaced)
        }
        state.liveCount += 1
        if details.beginsByHandOver { state.handOvers[entry.address] = 0 }
        publish(&state, roster)
    }

    private final func roster(
        _ search: inout RosterSearch, in state: inout ChannelState, _ replaced: inout Removed
    ) -> Roster? {
        switch search.find(in: state.senders) {
        case .found(let roster): return roster
        case .undecided: return nil
        case .absent: break
        }
        let roster = search.make()
        state.count(roster, 1)
        guard let tag = roster.tag else {
            state.unmatched[ObjectIdentifier(roster)] = roster
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

    // MARK: - Cancelling

    @inline(never)
    final func cancel(_ entry: Entry, _ index: Int, of chunk: Chunk, _ end: EntryEnd) {
        if everyone.flags.contains(.isMonitored) { return cancelMonitored(entry, end) }
        let (removed, hasEnded) = remove(index, of: chunk, entry, end)
        if !hasEnded { return }
        if removed.isEntryAlone, lanes.haveLeft(name) { return chunk.destroy(index) }
        retire(removed)
    }

    @inline(__always)
    private final func remove(
        _ index: Int, of chunk: Chunk, _ entry: Entry, _ end: EntryEnd
    ) -> (removed: Removed, hasEnded: Bool) {
        withState { state in
            if !chunk.isLive(index) { return (Removed(), false) }
            var removed = Removed(entry: entry)
            unsafe chunk.header.pointee.roster._withUnsafeGuaranteedRef { roster in
                remove(index, of: chunk, from: roster, in: &state, &removed, end)
            }
            return (removed, true)
        }
    }

    private final func cancelMonitored(_ entry: Entry, _ end: EntryEnd) {
        let details = withState { _ in entry.isLive ? entry.chunk.details(entry.index) : nil }
        let (removed, hasEnded) = remove(entry.index, of: entry.chunk, entry, end)
        retire(removed)
        if hasEnded, let details { host.didEnd(entry, details, end) }
    }

    private final func remove(
        _ index: Int, of chunk: Chunk, from roster: Roster, in state: inout ChannelState, _ removed: inout Removed,
        _ end: EntryEnd
    ) {
        if state.ended != nil || state.interests.contains(.entries) {
            note(index, of: chunk, in: &state, &removed, end)
        }
        chunk.clearLive(index)
        roster.liveCount -= 1
        // Finishing may clear the head of `everyone` to hide its entries. Unlinking the first chunk would set it again.
        if state.finish == nil {
            if chunk.live == 0 { roster.unlinkIfFull(chunk, &removed) }
            if !chunk.hasTies, roster === everyone, publishPlain(live: state.liveCount - 1) {
                state.liveCount -= 1
                return
            }
        }
        forget(index, of: chunk, from: roster, in: &state, &removed)
    }

    @inline(never)
    private final func forget(
        _ index: Int, of chunk: Chunk, from roster: Roster, in state: inout ChannelState, _ removed: inout Removed
    ) {
        let details = chunk.hasTies ? chunk.details(index) : nil
        if let details, details.isConditional { state.count(conditional: details, -1) }
        if details?.hasOwner == true || roster.isMortal {
            noteWatchedEnd(
                isWatched: details?.isWatched == true && roster.isFiltered, in: &state, &removed)
        }
        if roster.liveCount == 0, roster !== everyone { state.forget(roster, &removed) }
        state.liveCount -= 1
        publish(&state, roster)
    }

    @inline(never)
    private final func note(
        _ index: Int, of chunk: Chunk, in state: inout ChannelState, _ removed: inout Removed, _ end: EntryEnd
    ) {
        let ended = (serial: chunk.serial(index), details: chunk.details(index), end: end)
        let kept = state.ended ?? EndedEntries()
        state.ended = kept
        if let replaced = kept.note(ended), replaced.details.tie != nil { removed.parts().ended = replaced }
    }

    /// Ends all entries. Called when the center has been deallocated, so no post can follow.
    final func close() {
        let entries = withState { state in
            state.isOpen = false
            let entries = state.rosters(with: everyone).flatMap { $0.liveEntries() }
            // Chunks are retained, because ending an entry may release a token with the last reference to a chunk.
            for entry in entries { entry.chunk.retain() }
            return entries
        }
        for entry in entries {
            entry.cancel(.closed)
            entry.chunk.release()
        }
        // Breaks a cycle, because the chunks of a roster retain the channel. The rosters of senders have been removed
        // by now. The lock is held, because another thread that has ended the last entry may still be using the roster.
        withState { _ in everyone.releaseChunks() }
    }

    final class func flagsWithoutEntries(_ interests: HostInterests) -> Roster.Flags {
        var flags: Roster.Flags = []
        if interests.contains(.entries) { flags.insert(.isMonitored) }
        if interests.areOfPosts { flags.formUnion([.hasEntries, .isTold]) }
        return flags
    }

    /// Publishes the flags after a plain entry of `everyone` was added or has ended; see ``EntryDetails/isPlain``. If
    /// `everyone` has flags that plain entries don't set, returns `false` without publishing, because those flags may
    /// have to change as well.
    @inline(__always)
    private final func publishPlain(live: Int) -> Bool {
        if everyone.flags.areOfMore { return false }
        everyone.publish(.ofPlain(live: live))
        return true
    }

    /// Publishes the flags that posts read. `state` doesn't change. It is `inout`, so that it is passed by address.
    final func publish(_ state: inout ChannelState, _ roster: Roster) {
        if state.hidesEntries { return everyone.publish(flagsWhenFinished(state)) }
        var flags: Roster.Flags = []
        let isFiltered = state.liveCount != everyone.liveCount
        let looksAtCalls = state.looksAtCalls(isFiltered: isFiltered)
        if state.liveCount > 0 || looksAtCalls { flags.insert(.hasEntries) }
        if state.interests.contains(.entries) { flags.insert(.isMonitored) }
        if state.interests.contains(.beginnings) { flags.insert(.isNoticed) }
        if isFiltered { flags.insert(.isFiltered) }
        if everyone.liveCount > 0 { flags.insert(.isShared) }
        if everyone.liveCount == 1 { flags.insert(.isSingle) }
        if !state.mortals.isEmpty { flags.insert(.hasMortals) }
        // With `isTold`, `endDeadBeforePost` also checks the watched entries.
        if looksAtCalls {
            flags.insert(.isTold)
        } else if state.watched.liveCount > 0 {
            flags.insert(.isWatched)
        }
        // `hasConditions` is stored before the flags, so that a post that loads the new flags also loads the new value
        // of `hasConditions`.
        if hasConditions.load(ordering: .relaxed) != (state.conditional > 0) {
            hasConditions.store(state.conditional > 0, ordering: .relaxed)
        }
        if roster !== everyone { roster.publish(roster.liveCount == 1 ? .isSingle : []) }
        everyone.publish(flags)
    }
}
