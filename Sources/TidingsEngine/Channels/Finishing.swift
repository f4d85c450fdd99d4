/// Finishing a channel: posts and hand-overs in progress complete, and no later post calls an entry. Ordinary posts
/// need no additional atomic load. Finishing clears the head of `everyone`, the roster of entries without a sender,
/// increases that roster's number of entries, and then scans the lanes. A post claims its lane, and then loads the
/// head. A post that only calls observers of its sender loads the number instead. If `callOnly` returns `false`, no
/// observer was called. The post then loads the head or the number again, and only the second load counts. All of these
/// operations are sequentially consistent. So a post that loads a new value calls no entry. A post that loads the old
/// value claimed its lane before the scan, and the scan finds the lane. Such a post calls all of its entries, because
/// no entry ends before the post has left.
///
/// If the host admits posts, finishing doesn't store these values, because an admitted post has to find all entries;
/// see ``Channel/enter()``.
extension Channel {
    /// Finishes the channel. When the posts in progress have left, all entries end, and `whenLeft` is called, on any
    /// thread. This may happen before the method returns.
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

    package final var hasFinished: Bool { withState { $0.finish != nil } }

    final var hidesEntries: Bool { withState { $0.hidesEntries } }

    private final func begin(_ state: inout sending ChannelState, _ hidden: inout Removed) -> ChannelFinish {
        let finish = ChannelFinish(
            .waitsForLanes, hidesEntries: !host.admitsPosts, entries: state.entries(with: everyone).inOrder)
        state.finish = finish
        let parts = hidden.parts()
        if finish.hidesEntries { parts.hidden = everyone.hide(flagsWhenFinished(state)) }
        parts.whenFreed = { [self] in
            withState { $0.finish?.phase = .begun }
            endIfLeft()
        }
        return finish
    }

    /// The flags that a finished channel publishes. They include `isShared`, so even a post that only has to call
    /// observers of its sender loads the head of `everyone`. The head is `nil`, so the post calls no observer.
    final func flagsWhenFinished(_ state: borrowing ChannelState) -> Roster.Flags {
        Self.flagsWithoutEntries(state.interests).union(.isShared)
    }

    final func leaveWithoutLane() {
        let isLast = withState { state in
            changing.postsWithoutLane.wrappingSubtract(1, ordering: .relaxed).newValue == 0 && state.finish != nil
        }
        if isLast { endIfLeft() }
    }

    final func endIfLeft() {
        let entries = withState { state -> [KeptEntry]? in
            guard let finish = state.finish, finish.phase == .begun,
                changing.postsWithoutLane.load(ordering: .relaxed) == 0, state.handOvers.isEmpty
            else { return nil }
            finish.phase = .ending
            return finish.entries
        }
        guard let entries else { return }
        for entry in entries { entry.entry.cancel(.finished) }
        let whenLeft = withState { $0.finish?.end() ?? [] }
        for whenLeft in whenLeft { whenLeft() }
        // `entries` is released here, while no lock is held.
        withExtendedLifetime(entries) {}
    }

    /// The entries that were live when the channel began to finish, in the order in which posts call them. After they
    /// have ended, entries without an ``EntryDetails/tie`` are omitted. An entry counts as called during its hand-over.
    @usableFromInline
    package final func finishing() -> (entries: [EntryStatus], haveEnded: Bool) {
        let (entries, ended, calls, haveEnded) = withState { state in
            let finish = state.finish
            var calls = state.calls(in: self)
            for address in state.handOvers.keys { calls[address] = 0 }
            return (finish?.entries ?? [], finish?.ended ?? [], calls, finish?.phase == .ended)
        }
        return (ended + entries.map { $0.status(isCalled: calls[$0.entry.address] != nil) }, haveEnded)
    }

    /// The ties of the entries that the finish ended. Their observers may still have queued notifications.
    final func endedTies() -> [AnyObject] { withState { $0.finish?.ended ?? [] }.compactMap(\.details.tie) }

    /// Creates an entry that was never live, for a registration with a finished channel, and releases the closure.
    final func refuse(_ details: EntryDetails, moving observer: MovedObserver) -> Entry {
        let chunk = Chunk(size: .small, first: 0, channel: self, roster: everyone)
        // Raw memory that no other thread can access.
        unsafe observer.move(to: chunk.closureMemory(0))
        chunk.initialize(0, details, position: nil)
        let entry = Entry(chunk, 0)
        if everyone.flags.contains(.isMonitored) {
            host.didAdd(entry, details)
            host.didEnd(entry, details, .finished)
        }
        chunk.destroy(0)
        // Releases the references for a roster and for the unused slots. Only the entry's own reference is left.
        unsafe chunk.release(chunk.header.pointee.size.entries)
        return entry
    }
}

final class ChannelFinish {
    enum Phase {
        case waitsForLanes
        case begun
        case ending
        case ended
    }

    var phase: Phase

    let hidesEntries: Bool

    private(set) var entries: [KeptEntry]

    private(set) var ended: [EntryStatus] = []

    var whenLeft: [@Sendable () -> Void] = []

    init(_ phase: Phase, hidesEntries: Bool, entries: [KeptEntry] = []) {
        self.phase = phase
        self.hidesEntries = hidesEntries
        self.entries = entries
    }

    func end() -> [@Sendable () -> Void] {
        phase = .ended
        defer { (entries, whenLeft) = ([], []) }
        ended = entries.filter { $0.details.tie != nil }.map { $0.status(isCalled: false) }
        return whenLeft
    }
}
