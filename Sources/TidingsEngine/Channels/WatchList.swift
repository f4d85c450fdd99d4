/// A list of entries (observers) that end when their owner or sender is deallocated. A post checks the entries while it
/// holds a ``Lane``.
///
/// A channel has a list of all these entries, and a list of the watched entries, which a post checks even if it doesn't
/// call them. A list changes under its channel's lock. Posts only see a list grow, because an ended entry stays in it
/// until the list is replaced. The old list is freed when no post can see it and no check without a lane retains it.
@safe
final class WatchList: @unchecked Sendable {  // slots don't change once they are counted; the counts are atomic
    private let capacity: Int

    /// The entries, retained. A slot is initialized before the count includes it.
    private let slots: UnsafeMutablePointer<Unmanaged<KeptEntry>>

    /// The address of the roster that contains all live entries; 0 if the entries may be in several rosters.
    private let only = Atomic<UInt>(0)

    private let counted = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)

    private init(capacity: Int) {
        self.capacity = capacity
        unsafe slots = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<count { unsafe slots[index].release() }
        unsafe slots.deallocate()
    }

    static let empty = WatchList(capacity: 0)

    /// The acquiring load pairs with the releasing store in `append`, which stores the entry first.
    var count: Int { counted.load(ordering: .acquiring) }

    var liveCount: Int { counted.load(ordering: .relaxed) - ended.load(ordering: .relaxed) }

    @inline(__always)
    func isAll(of roster: Roster) -> Bool {
        only.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(roster))
    }

    /// Calls a closure with the entry at `index`, which must be below a count that the caller has loaded.
    @inline(__always)
    func withEntry<Result>(_ index: Int, _ body: (KeptEntry) -> Result) -> Result {
        // The list retains the entry. The caller keeps the list alive by its lane, a reference or the channel's lock.
        unsafe slots[index]._withUnsafeGuaranteedRef(body)
    }

    var isFull: Bool { count == capacity }

    var isStale: Bool { ended.load(ordering: .relaxed) * 2 > count }

    /// Adds an entry to the list, which mustn't be full.
    func append(_ mortal: KeptEntry) {
        let index = count
        let roster = UInt(bitPattern: ObjectIdentifier(mortal.roster))
        let isAll = liveCount == 0 || only.load(ordering: .relaxed) == roster
        only.store(isAll ? roster : 0, ordering: .relaxed)
        // The slot has never been used, and no post reads it before the count includes it.
        unsafe (slots + index).initialize(to: .passRetained(mortal))
        counted.store(index + 1, ordering: .releasing)
    }

    func noteEnd() { ended.store(ended.load(ordering: .relaxed) + 1, ordering: .relaxed) }

    func renewed() -> WatchList {
        if liveCount == 0, count > 0 { return .empty }
        let list = WatchList(capacity: max(4, liveCount * 2))
        for index in 0..<count { withEntry(index) { if $0.isLive { list.append($0) } } }
        return list
    }
}

extension Channel {
    final func watch(_ mortal: KeptEntry, in state: inout ChannelState, _ replaced: inout Removed) {
        if state.mortals.list.isFull { renewMortals(in: &state, &replaced) }
        state.mortals.list.append(mortal)
        guard mortal.isWatched else { return }
        if state.watched.isFull { renewWatched(in: &state, &replaced) }
        state.watched.append(mortal)
    }

    final func noteWatchedEnd(isWatched: Bool, in state: inout ChannelState, _ removed: inout Removed) {
        state.mortals.list.noteEnd()
        if state.mortals.list.isStale { renewMortals(in: &state, &removed) }
        guard isWatched else { return }
        state.watched.noteEnd()
        if state.watched.isStale { renewWatched(in: &state, &removed) }
    }

    private final func renewMortals(in state: inout ChannelState, _ replaced: inout Removed) {
        state.mortals.replace(with: state.mortals.list.renewed(), &replaced)
        // Sequentially consistent, so that the store comes before the scan of the lanes that follows.
        unsafe mortals.store(
            Unmanaged.passUnretained(state.mortals.list).toOpaque(), ordering: .sequentiallyConsistent)
    }

    private final func renewWatched(in state: inout ChannelState, _ replaced: inout Removed) {
        replaced.parts().watchList = state.watched
        state.watched = state.watched.renewed()
        // Sequentially consistent, so that the store comes before the scan of the lanes that follows.
        unsafe self.watched.store(Unmanaged.passUnretained(state.watched).toOpaque(), ordering: .sequentiallyConsistent)
    }

    /// Returns whether a post from a sender calls all watched entries. Such a post needn't check them separately.
    @inline(__always)
    final func reachesAllWatched(from sender: Roster) -> Bool {
        // The list lives at least until this post leaves its lane.
        let list = unsafe Unmanaged<WatchList>.fromOpaque(watched.load(ordering: .sequentiallyConsistent))
        return unsafe list._withUnsafeGuaranteedRef { $0.isAll(of: sender) }
    }

    /// Ends dead entries before a post that the host observes. If a lane is free, takes the lock only to end an entry.
    package final func endDeadBeforePost() {
        let flags = everyone.flags
        guard flags.contains(.hasMortals), flags.areOfHost else { return }
        guard let lane = lanes.claim(name) else { return endDeadWithoutLane(.ofPost, looksAtSenders: true) }
        endDead(lane)
        if !lane.leave(name) { leaveMarked(lane) }
    }

    /// Ends entries whose owner or sender is gone. Retains the list, so the caller needs no lane.
    final func endDeadWithoutLane(_ effort: Mortals.Effort, looksAtSenders: Bool) {
        let (list, first) = withState { ($0.mortals.list, $0.mortals.nextPlace(effort)) }
        endDead(in: list, nil, effort, from: first, nil, looksAtSenders: looksAtSenders)
    }

    /// Ends watched entries whose owner or sender is gone. Skips the entries of `sender`, because the post calls them.
    @inline(never)
    final func endWatchedDead(_ lane: Lane, sender: Roster?) {
        // The list lives at least until this post leaves its lane.
        let list = unsafe Unmanaged<WatchList>.fromOpaque(watched.load(ordering: .sequentiallyConsistent))
        unsafe list._withUnsafeGuaranteedRef { endDead(in: $0, lane, .ofPost, from: 0, sender, looksAtSenders: true) }
    }

    @inline(never)
    private final func endDead(_ lane: Lane) {
        // The list lives at least until this post leaves its lane.
        let list = unsafe Unmanaged<WatchList>.fromOpaque(mortals.load(ordering: .sequentiallyConsistent))
        unsafe list._withUnsafeGuaranteedRef { endDead(in: $0, lane, .ofPost, from: 0, nil, looksAtSenders: true) }
    }

    /// Ends entries whose owner or sender is gone. Callers without a lane pass the index of the first entry to check.
    private final func endDead(
        in list: WatchList, _ lane: Lane?, _ effort: Mortals.Effort, from first: Int, _ sender: Roster?,
        looksAtSenders: Bool
    ) {
        let count = list.count
        let areFew = list.liveCount <= effort.few
        var index = areFew ? 0 : lane?.place(below: count) ?? first
        var left = areFew ? count : effort.atOnce
        for _ in 0..<count {
            if left == 0 { break }
            if index >= count { index = 0 }
            list.withEntry(index) { mortal in
                if !mortal.isLive { return }
                // This post calls the entry's closure, and the closure checks the owner.
                if mortal.roster === sender { return left -= 1 }
                // The check may run a `deinit`, so no lock is held.
                if let end = mortal.end(host, looksAtSenders: looksAtSenders) {
                    mortal.entry.cancel(end)
                    // Observers that were registered together often end together, so the check continues.
                    left = max(left, effort.atOnce)
                } else {
                    left -= 1
                }
            }
            index += 1
        }
    }
}
