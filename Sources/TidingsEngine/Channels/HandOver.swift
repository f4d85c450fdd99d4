/// The hand-over of something to an entry that has just been added: calls of that entry alone, by whoever has added it.
///
/// An entry whose details say that it begins by a hand-over is noted in the step in which it is added, until its hand-over ends. A
/// channel that finishes waits for that: it ends no entry before. So what the host has kept for the entry reaches it, or the end of
/// the channel says which entry it waits for.
extension Channel {
    /// Notes that what an entry began with was handed to it, or that nothing will be.
    ///
    /// - Parameter entry: The entry, whose chunk the caller keeps.
    package final func endHandOver(of entry: Entry) {
        let isLast = withState { state in
            state.handOvers.remove(entry.address) != nil && state.handOvers.isEmpty && state.finish != nil
        }
        if isLast { endIfLeft() }
    }

    /// Counts a call that no post has counted.
    package final func countCall() { counters.takeBack(-1) }
}

extension TypedChannel {
    /// Calls one entry, as a post would that reaches this entry alone, also if the channel finishes. The call claims a lane, so a
    /// cancel, a drain and the end of the channel treat it as they treat a post.
    ///
    /// - Parameters:
    ///   - entry: The entry, whose hand-over has not ended, and whose chunk the caller keeps.
    ///   - payload: What it is called with.
    /// - Returns: Whether it was called: not if it has ended.
    package func call(_ entry: Entry, with payload: Payload) -> Bool {
        guard let lane = lanes.claim(name) else { return callWithoutLane(entry, with: payload) }
        var walk = Walk(at: entry)
        var hook = NoHook()
        let calls = callNext(&walk, payload, lane, &hook)
        if !lane.leave(name) { leaveMarked(lane) }
        return calls > 0
    }
}
