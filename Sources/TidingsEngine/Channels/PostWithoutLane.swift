extension TypedChannel {
    /// Makes a post when no lane is free, for example if more posts are nested than there are lanes. It calls copies of
    /// the closures, because no lane keeps the originals alive. `begun` is the number of entries without a sender when
    /// the post began. An entry without a sender that was added later isn't called. Entries with a sender that were
    /// added after such an entry aren't called either.
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

    func callWithoutLane(_ entry: Entry, with payload: Payload) -> Bool {
        var hook = NoHook()
        let copy = withState { _ in entry.isLive ? Copy(entry, in: everyone) : nil }
        return copy.map { call($0, payload, &hook) } ?? false
    }

    private func call<Hook: PostHook>(_ copy: Copy, _ payload: Payload, _ hook: inout Hook) -> Bool {
        let isLive = withState { state in
            if copy.entry.isLive { state.callsWithoutLane.append(copy.entry) }
            return copy.entry.isLive
        }
        if !isLive { return false }
        host.willPost()
        // Checked again, because the hook and the unlock above can run user code that cancels the entry.
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

    /// Returns copies of the entries to call, in the order of registration, and counts the post as running. Returns
    /// `nil` if the channel has finished and hides its entries.
    private func copies(_ search: consuming RosterSearch?, _ begun: Int) -> [Copy]? {
        var search = search
        while true {
            let found = withState { state -> (copies: [Copy]?, areMerged: Bool)? in
                if state.hidesEntries { return (nil, false) }
                let unfiltered = everyone.liveEntries().filter { $0.number < begun }.map { Copy($0, in: everyone) }
                switch search?.find(in: state.senders) ?? .absent {
                case .undecided: return nil
                case .absent:
                    changing.postsWithoutLane.wrappingAdd(1, ordering: .relaxed)
                    return (unfiltered, false)
                case .found(let roster):
                    let filtered = roster.liveEntries().map { Copy($0, in: roster) }.filter { $0.position.0 <= begun }
                    changing.postsWithoutLane.wrappingAdd(1, ordering: .relaxed)
                    return (unfiltered + filtered, true)
                }
            }
            if let found { return found.areMerged ? found.copies?.sorted { $0.position < $1.position } : found.copies }
            search?.compare()
        }
    }

    private final class Copy: Sendable {
        let entry: Entry
        let body: @Sendable (Payload) -> Void
        let details: EntryDetails
        let position: (Int, Int)

        init(_ entry: Entry, in roster: Roster) {
            self.entry = entry
            position = entry.position(in: roster)
            // The entry is live, and the lock is held, so the closure exists. The copy retains the closure's context.
            body = unsafe entry.chunk.closureMemory(entry.index).assumingMemoryBound(to: Observer<Payload>.self).pointee
                .body
            details = entry.details
            entry.chunk.retain()
        }

        deinit { entry.chunk.release() }
    }
}
