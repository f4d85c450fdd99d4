extension TypedChannel {
    /// Posts with copies of the closures, which keep them alive: for the case that more posts are under way than there are
    /// lanes, as when they are nested deeply.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - search: How to find the roster of its sender; `nil` if it has none.
    ///   - begun: How many entries for every sender there were when the post began. To compare senders runs a user's code, which
    ///     may register observers: those are not called.
    ///   - hook: What to do around each call.
    /// - Returns: How many observers were called.
    @inline(never)
    func postWithoutLane<Hook: PostHook>(
        _ payload: Payload, _ search: consuming RosterSearch?, _ begun: Int, _ hook: inout Hook
    ) -> Int {
        if everyone.flags.contains(.isWatched) { endDeadWithoutLane(.ofPost, looksAtSenders: true) }
        guard let copies = copies(search, begun) else { return 0 }
        defer { leaveWithoutLane() }
        var calls = 0
        for copy in copies { calls += call(copy, payload, &hook) ? 1 : 0 }
        calls -= hook.refusals
        counters.countPostWithoutLane(calls)
        return calls
    }

    /// Calls one entry in the same way.
    ///
    /// - Returns: Whether it was called.
    func callWithoutLane(_ entry: Entry, with payload: Payload) -> Bool {
        var hook = NoHook()
        let copy = withState { _ in entry.isLive ? Copy(entry, position: 0, isFiltered: false) : nil }
        return copy.map { call($0, payload, &hook) } ?? false
    }

    /// Calls a copy, unless its entry has ended.
    ///
    /// - Returns: Whether it was called.
    private func call<Hook: PostHook>(_ copy: Copy, _ payload: Payload, _ hook: inout Hook) -> Bool {
        let isLive = withState { state in
            if copy.entry.isLive { state.callsWithoutLane.append(copy.entry) }
            return copy.entry.isLive
        }
        if !isLive { return false }
        // The hook, and the unlock above, can run a user's code, which may cancel the entry: so there is a look after them.
        let isCalled = hook.willCall(copy.entry, copy.details) && copy.entry.isLive
        if isCalled {
            copy.body(payload)
            hook.didCall(copy.entry)
        }
        let ended = withState { state in
            if let index = state.callsWithoutLane.lastIndex(of: copy.entry) {
                state.callsWithoutLane.remove(at: index)
            }
            return state.takeEndedDrains(in: self)
        }
        for continuation in ended { continuation.resume() }
        return isCalled
    }

    /// Copies of all closures that a post reaches, in the order in which they were registered; the post is noted as one that is
    /// under way. `nil` if the channel hides its entries, as it has finished.
    private func copies(_ search: consuming RosterSearch?, _ begun: Int) -> [Copy]? {
        var search = search
        while true {
            let found = withState { state -> (copies: [Copy]?, areMerged: Bool)? in
                if state.hidesEntries { return (nil, false) }
                let unfiltered = everyone.liveEntries().filter { $0.number < begun }.map {
                    Copy($0, position: $0.number, isFiltered: false)
                }
                switch search?.find(in: state.senders) ?? .absent {
                case .undecided: return nil
                case .absent:
                    changing.postsWithoutLane.wrappingAdd(1, ordering: .relaxed)
                    return (unfiltered, false)
                case .found(let roster):
                    let filtered = roster.liveEntries().map {
                        Copy($0, position: $0.chunk.position($0.index), isFiltered: true)
                    }.filter { $0.position <= begun }
                    changing.postsWithoutLane.wrappingAdd(1, ordering: .relaxed)
                    return (unfiltered + filtered, true)
                }
            }
            if let found { return found.areMerged ? found.copies?.sorted() : found.copies }
            search?.compare()
        }
    }

    /// A closure, and where it stands in the order in which all were registered.
    private final class Copy: Comparable, Sendable {
        let entry: Entry
        let body: @Sendable (Payload) -> Void
        let details: EntryDetails
        let position: Int
        private let isFiltered: Bool

        init(_ entry: Entry, position: Int, isFiltered: Bool) {
            self.entry = entry
            self.position = position
            self.isFiltered = isFiltered
            // Live, under the lock: the closure is there, and this copy keeps what it captured.
            body = unsafe entry.chunk.closureMemory(entry.index).assumingMemoryBound(to: Observer<Payload>.self).pointee
                .body
            details = entry.details
            entry.chunk.retain()
        }

        deinit { entry.chunk.release() }

        /// One that is limited to a sender stands before the one for every sender that was added next.
        static func < (lhs: Copy, rhs: Copy) -> Bool {
            (lhs.position, lhs.isFiltered ? 0 : 1) < (rhs.position, rhs.isFiltered ? 0 : 1)
        }

        static func == (lhs: Copy, rhs: Copy) -> Bool { lhs === rhs }
    }
}
