/// A hand-over passes earlier notifications to a single, new entry, with ``TypedChannel/call(_:with:)``. The channel
/// records the entry from the step that adds it until the end of its hand-over. A finishing channel ends its entries
/// only when no such entry is recorded.
extension Channel {
    /// Removes the record of the entry's hand-over, if there is one. The caller keeps the entry's chunk alive.
    package final func endHandOver(of entry: Entry) {
        let isLast = withState { state in
            state.handOvers.removeValue(forKey: entry.address) != nil && state.handOvers.isEmpty && state.finish != nil
        }
        if isLast { endIfLeft() }
    }

    /// Counts a call that no post has counted.
    package final func countCall() { counters.takeBack(-1) }
}

extension TypedChannel {
    /// Calls one entry, like a post that reaches only this entry, even if the channel is finishing. The call claims a
    /// lane, so cancels, drains and the end of the channel treat it like a post. The caller must keep the entry's chunk
    /// alive, and call ``endHandOver(of:)`` afterwards. Returns `false` if the entry has ended.
    package func call(_ entry: Entry, with payload: Payload) -> Bool {
        guard let lane = lanes.claim(name) else { return callWithoutLane(entry, with: payload) }
        host.willPost()
        var walk = Walk(at: entry)
        var hook = NoHook()
        let calls = callNext(&walk, payload, lane, &hook)
        if !lane.leave(name) { leaveMarked(lane) }
        return calls > 0
    }
}
