/// Posts of a channel whose host admits or refuses each post; see ``ChannelHost/admitsPosts``.
///
/// A post first claims its lane, a slot that announces the post to other threads; see ``Lanes``. Then the host decides,
/// under its own lock, whether to admit the post, and stores the notification of an admitted post. Only then does the
/// post load the entries of the channel. The host starts to refuse posts, under the same lock, before the channel
/// finishes. So every admitted post claims its lane before the channel finishes. A finishing channel keeps its entries
/// visible, scans the lanes and waits for the admitted posts. The host's lock orders these operations, so the post's
/// loads need no memory order of their own.
extension Channel {
    /// Claims a lane for a post. If no lane is free, returns `nil`, and counts the post as running. The caller must
    /// pass the result to ``leave(_:)``, even if it is `nil`.
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
    /// Makes an admitted post, and leaves its lane. Returns `nil` without posting or leaving if `lane` is `nil`, or if
    /// the post has to do more than call observers. `address` is the result of ``knownAddress(of:)``.
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
