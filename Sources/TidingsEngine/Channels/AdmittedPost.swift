/// Posts of a channel whose host admits or refuses each post; see ``ChannelHost/admitsPosts``.
///
/// A post first claims its lane. In the lane, the host decides under its own lock whether it admits the post, and
/// stores the notification of an admitted post. The post then loads the entries of the channel. Before the channel
/// finishes, the host begins to refuse posts, under the same lock. So every admitted post claimed its lane before the
/// channel finished. The channel then scans the lanes, waits for these posts, and hides no entry from them. The lock
/// orders these operations, so the loads need no order of their own.
///
/// A post that has to do more than call observers, or finds no lane, takes the usual path, which claims its own lane.
extension Channel {
    /// Claims a lane for a post that hasn't begun. If all are taken, returns `nil`, and the post counts as running.
    @usableFromInline
    package final func enter() -> Lane? {
        if let lane = lanes.claim(name) { return lane }
        withState { _ in _ = changing.postsWithoutLane.wrappingAdd(1, ordering: .relaxed) }
        return nil
    }

    @usableFromInline
    package final func leave(_ lane: Lane?) {
        guard let lane else { return leaveWithoutLane() }
        if !lane.leave(name) { leaveMarked(lane) }
    }
}

extension TypedChannel {
    /// Makes an admitted post and leaves its lane, if the post only has to call observers. Returns the number of
    /// observers called, or `nil` without posting if the host has something to do or there is no lane. `address` is the
    /// address of the sender's object, as returned by ``knownAddress(of:)``; 0 if it isn't known.
    @inlinable
    @inline(__always)
    package func postIfUsual(
        _ payload: Payload, fromObjectAt address: UInt, orFrom sender: Sender, in lane: Lane?
    ) -> Int? {
        let (flags, begun) = everyone.beginning.parts
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

    @usableFromInline
    func postFiltered(
        _ payload: Payload, fromObjectAt tag: UInt, _ flags: Roster.Flags, _ begun: Int, in lane: Lane
    ) -> Int {
        unsafe post(payload, to: roster(ofObjectAt: tag), flags, begun, in: lane)
    }

    @usableFromInline
    func postFiltered(
        _ payload: Payload, from sender: Sender, _ flags: Roster.Flags, _ begun: Int, in lane: Lane
    ) -> Int {
        unsafe post(payload, to: roster(of: sender), flags, begun, in: lane)
    }
}
