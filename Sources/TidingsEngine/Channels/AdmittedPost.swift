/// Posts of a channel whose host admits or refuses each post; see ``ChannelHost/admitsPosts``.
///
/// A post first claims its lane. Then the host, under its own lock, decides whether to admit the post, and stores the
/// notification of an admitted post. The post then loads the entries of the channel. Before the channel finishes, the
/// host begins to refuse posts, under the same lock. So every admitted post claimed its lane before the channel
/// finished. A finishing channel keeps its entries visible, scans the lanes and waits for the admitted posts. The
/// host's lock orders these operations, so the post's loads need no memory order of their own.
extension Channel {
    /// Claims a lane for a post. If no lane is free, returns `nil`, and counts the post as running until `leave`.
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
