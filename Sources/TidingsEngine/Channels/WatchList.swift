import Synchronization

/// The watched entries of a channel, whose end a post notices although it does not reach them: posts look without a lock, in a
/// lane, whether their owners and senders are alive.
///
/// It changes under its channel's lock, and posts only ever see it grow: an entry that has ended stays until the list is replaced
/// by one without those that have. The old list is freed when no post can see it.
@safe
final class WatchList: @unchecked Sendable {  // slots do not change once they are counted; the counts are atomic
    private let capacity: Int

    /// Each retained. Initialised up to the count, before the count says so.
    private let slots: UnsafeMutablePointer<Unmanaged<Mortal>>

    /// The address of the roster that all live entries belong to; 0 if they belong to several, or if that is not known.
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

    /// The list of a channel without watched entries. It is always full.
    static let empty = WatchList(capacity: 0)

    /// How many entries there are in the list. The acquire pairs with the release by `append`, behind which the entry lies.
    var count: Int { counted.load(ordering: .acquiring) }

    /// How many of the entries have not ended.
    var liveCount: Int { counted.load(ordering: .relaxed) - ended.load(ordering: .relaxed) }

    /// Whether all live entries are known to belong to a roster.
    @inline(__always)
    func isAll(of roster: Roster) -> Bool {
        only.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(roster))
    }

    /// The entry at an index below a count that was loaded.
    @inline(__always)
    func withEntry<Result>(_ index: Int, _ body: (Mortal) -> Result) -> Result {
        // Retained by the list, which the caller's lane, or the channel's lock, keeps.
        unsafe slots[index]._withUnsafeGuaranteedRef(body)
    }

    // MARK: - Under the channel's lock

    var isFull: Bool { count == capacity }

    /// Whether those that have ended are the majority.
    var isStale: Bool { ended.load(ordering: .relaxed) * 2 > count }

    /// Adds an entry. The list must not be full.
    func append(_ mortal: Mortal) {
        let index = count
        let roster = UInt(bitPattern: ObjectIdentifier(mortal.roster))
        let isAll = liveCount == 0 || only.load(ordering: .relaxed) == roster
        only.store(isAll ? roster : 0, ordering: .relaxed)
        // The slot was never used, and no post reads it before the store.
        unsafe (slots + index).initialize(to: .passRetained(mortal))
        counted.store(index + 1, ordering: .releasing)
    }

    /// Counts an entry that has ended.
    func noteEnd() { ended.store(ended.load(ordering: .relaxed) + 1, ordering: .relaxed) }

    /// The entries that have not ended.
    var live: [Mortal] { (0..<count).compactMap { index in withEntry(index) { $0.isLive ? $0 : nil } } }

    /// A list of entries, with room for as many more.
    static func of(_ live: [Mortal]) -> WatchList {
        let list = WatchList(capacity: max(4, live.count * 2))
        for mortal in live { list.append(mortal) }
        return list
    }
}

extension Channel {
    /// Adds an entry to those at which posts look.
    final func watch(_ mortal: Mortal, in state: inout ChannelState, _ replaced: inout Removed) {
        if state.watched.isFull { renewWatched(with: state.watched.live, in: &state, &replaced) }
        state.watched.append(mortal)
    }

    /// Counts a watched entry that has ended.
    final func noteWatchedEnd(in state: inout ChannelState, _ removed: inout Removed) {
        state.watched.noteEnd()
        if state.watched.isStale { renewWatched(with: state.watched.live, in: &state, &removed) }
    }

    /// Watches all mortal entries, or no longer, after the reason for it has come or gone.
    ///
    /// In one step under the lock with at most one of ``watch(_:in:_:)``, for which there is room then, and
    /// ``noteWatchedEnd(in:_:)``, which it replaces: a step retires one list.
    ///
    /// - Returns: Whether the list was replaced by one of live entries.
    @discardableResult
    @inline(__always)
    final func chooseWatched(in state: inout ChannelState, _ replaced: inout Removed) -> Bool {
        let watchesAll = state.looksAtCalls
        if state.watchesAll == watchesAll { return false }
        state.watchesAll = watchesAll
        return replaceWatched(in: &state, &replaced)
    }

    @inline(never)
    private final func replaceWatched(in state: inout ChannelState, _ replaced: inout Removed) -> Bool {
        let watched = state.mortals.all.filter { $0.isLive && state.watches($0) }
        if watched.isEmpty, state.watched.count == 0 { return false }
        renewWatched(with: watched, in: &state, &replaced)
        return true
    }

    private final func renewWatched(
        with watched: [Mortal], in state: inout ChannelState, _ replaced: inout Removed
    ) {
        replaced.parts().watchList = state.watched
        state.watched = .of(watched)
        // Sequentially consistent, as lanes are scanned next.
        unsafe self.watched.store(Unmanaged.passUnretained(state.watched).toOpaque(), ordering: .sequentiallyConsistent)
    }

    /// Whether a post from a sender reaches all watched entries, and so meets those that are dead.
    @inline(__always)
    final func reachesAllWatched(from sender: Roster) -> Bool {
        // Lives at least until this post leaves its lane.
        let list = unsafe Unmanaged<WatchList>.fromOpaque(watched.load(ordering: .sequentiallyConsistent))
        return unsafe list._withUnsafeGuaranteedRef { $0.isAll(of: sender) }
    }

    /// Ends the entries whose owner or sender is dead, or some of them, before a post that does more than to call observers.
    /// Takes the lock only when it has found one.
    package final func endDeadBeforePost() {
        let flags = everyone.flags
        // The host is told of the posts of a channel that watches all.
        guard flags.contains(.hasMortals), flags.contains(.isMonitored) else { return }
        guard let lane = lanes.claim(name) else { return cancelSomeDead(.ofPost, looksAtSenders: true) }
        endWatchedDead(lane, sender: nil)
        if !lane.leave(name) { leaveMarked(lane) }
    }

    /// Ends watched entries whose owner or sender is dead: all of them, if few entries are watched, else those among a few, and
    /// on for as long as there are any. Takes the lock only when it has found one.
    ///
    /// - Parameters:
    ///   - lane: The lane of the post, which has begun and not yet called.
    ///   - sender: The roster of its sender, which is alive; `nil` if it has none.
    @inline(never)
    final func endWatchedDead(_ lane: Lane, sender: Roster?) {
        // Lives at least until this post leaves its lane.
        let list = unsafe Unmanaged<WatchList>.fromOpaque(watched.load(ordering: .sequentiallyConsistent))
        unsafe list._withUnsafeGuaranteedRef { list in
            let count = list.count
            let effort = Mortals.Effort.ofPost
            let areFew = list.liveCount <= effort.few
            var index = areFew ? 0 : lane.place(below: count)
            var left = areFew ? count : effort.atOnce
            for _ in 0..<count {
                if left == 0 { break }
                list.withEntry(index) { mortal in
                    if !mortal.isLive { return }
                    // The post calls the observer, which finds out itself.
                    if mortal.roster === sender { return left -= 1 }
                    // The look may run the `deinit` of what it referred to; no lock is held.
                    if let end = mortal.end(host, looksAtSenders: true) {
                        cancel(mortal.entry, end)
                        // Those that were registered together often die together.
                        left = max(left, effort.atOnce)
                    } else {
                        left -= 1
                    }
                }
                index = index + 1 < count ? index + 1 : 0
            }
        }
    }
}
