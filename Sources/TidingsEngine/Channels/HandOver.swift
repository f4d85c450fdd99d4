extension TypedChannel {
    /// Calls one entry, as a post would that reaches this entry alone. The call claims a lane, so a cancel, a drain and the end
    /// of the channel treat it as they treat a post.
    ///
    /// - Parameters:
    ///   - entry: The entry, whose chunk the caller keeps.
    ///   - payload: What it is called with.
    ///   - sender: The sender of that, which is asked for if there is no lane.
    /// - Returns: Whether it was called: not if it has ended, or the channel has.
    package func call(_ entry: Entry, with payload: Payload, from sender: @autoclosure () -> Sender) -> Bool {
        guard let lane = lanes.claim(name) else {
            var hook = OneEntry(entry)
            return postWithoutLane(payload, search(from: sender()), .max, &hook) > 0
        }
        var calls = 0
        // In the lane: either this finds that the channel finishes, or the scan of the lanes, which comes after that, finds this.
        if !hasFinished {
            var walk = Walk(at: entry)
            var hook = NoHook()
            calls = callNext(&walk, payload, lane, &hook)
        }
        if !lane.leave(name) { leaveMarked(lane) }
        return calls > 0
    }
}

/// The hook of a post that reaches one entry.
private struct OneEntry: PostHook {
    private let entry: Entry

    init(_ entry: Entry) { self.entry = entry }

    func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool { entry == self.entry }
    func didCall(_ entry: Entry) {}
    var refusals: Int { 0 }
}
