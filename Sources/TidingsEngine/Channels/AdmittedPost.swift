/// A post that the host admits or refuses, of a channel whose host says so: see ``ChannelHost/admitsPosts``.
///
/// The post claims its lane first. In it the host decides, under a lock of its own, and keeps what it admits; then the post loads which
/// entries there are. Before the channel finishes, the host begins to refuse, under the same lock. So a post that it has admitted had
/// claimed its lane before, and the scan of the lanes that follows finds it: the end of the channel waits for it, and nothing is
/// hidden from it. A post that claims its lane later is refused. The lock orders the steps; the loads need no order of their own.
///
/// A post that has to do more than to call observers, or that finds no lane, goes the usual ways inside: they claim a lane again.
extension Channel {
    /// Claims a lane for a post that has not begun.
    ///
    /// - Returns: The lane; `nil` if all are taken. Then the post is noted as one that is under way, until it leaves.
    @usableFromInline
    package final func enter() -> Lane? {
        if let lane = lanes.claim(name) { return lane }
        withState { _ in _ = changing.postsWithoutLane.wrappingAdd(1, ordering: .relaxed) }
        return nil
    }

    /// Ends what ``enter()`` has begun.
    @usableFromInline
    package final func leave(_ lane: Lane?) {
        guard let lane else { return leaveWithoutLane() }
        if !lane.leave(name) { leaveMarked(lane) }
    }
}

extension TypedChannel {
    /// Makes a post that was admitted, if it need do nothing but call observers.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - address: The address of its sender's object, as ``knownAddress(of:)`` tells it; 0 if it has none, or if that is not known.
    ///   - sender: Its sender.
    ///   - lane: What ``enter()`` has returned.
    /// - Returns: How many observers were called, and the lane was left; `nil` if the host has something to do, or there is no lane. Then
    ///   no post was made.
    @inlinable
    @inline(__always)
    package func postIfUsual(
        _ payload: Payload, fromObjectAt address: UInt, orFrom sender: Sender, in lane: Lane?
    ) -> Int? {
        let (flags, begun) = everyone.beginning
        guard let lane, !flags.areOfHost else { return nil }
        if !flags.contains(.hasEntries) {
            leave(lane)
            return 0
        }
        if !flags.contains(.isFiltered) { return postToEveryone(payload, begun, in: lane) }
        return address != 0
            ? postFiltered(payload, fromObjectAt: address, flags, begun, in: lane)
            : postFiltered(payload, from: sender, flags, begun, in: lane)
    }

    /// Makes a post to the observers of every sender.
    @usableFromInline
    func postToEveryone(_ payload: Payload, _ begun: Int, in lane: Lane) -> Int {
        var hook = NoHook()
        return end(lane, after: call(everyone, begun, payload, lane, &hook))
    }

    /// Makes a post to the observers of one object, and those of every sender.
    @usableFromInline
    func postFiltered(
        _ payload: Payload, fromObjectAt tag: UInt, _ flags: Roster.Flags, _ begun: Int, in lane: Lane
    ) -> Int {
        var hook = NoHook()
        return end(lane, after: unsafe call(roster(ofObjectAt: tag), flags, begun, payload, lane, &hook))
    }

    /// Makes a post to the observers of one sender, and those of every sender.
    @usableFromInline
    func postFiltered(
        _ payload: Payload, from sender: Sender, _ flags: Roster.Flags, _ begun: Int, in lane: Lane
    ) -> Int {
        var hook = NoHook()
        return end(lane, after: unsafe call(roster(of: sender), flags, begun, payload, lane, &hook))
    }

    /// Counts a post, and leaves its lane.
    ///
    /// - Returns: How many calls it has made.
    @inline(__always)
    private func end(_ lane: Lane, after calls: Int) -> Int {
        count(calls, lane)
        if !lane.leave(name) { leaveMarked(lane) }
        return calls
    }
}
