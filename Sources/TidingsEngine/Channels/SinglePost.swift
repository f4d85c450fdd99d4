/// Posts that only have to call observers. Most of these posts reach a single observer, and calling one observer takes
/// fewer steps than ``call(_:_:_:_:_:)``. Posts that reach several observers continue in functions that aren't inlined,
/// so that the fast path needs few registers.
extension TypedChannel {
    @usableFromInline
    func postToEveryone(_ payload: Payload, _ beginning: Roster.Beginning) -> Int {
        let begun = beginning.count
        guard let lane = Lanes.claimHome(name) else { return postElsewhere(payload, begun) }
        return beginning.flags.contains(.isSingle)
            ? postToSingle(payload, begun, in: lane) : postToEveryone(payload, begun, in: lane)
    }

    @usableFromInline
    func postNoticed(_ payload: Payload, _ beginning: Roster.Beginning) -> Int {
        let begun = beginning.count
        guard let lane = lanes.claim(name) else { return postWithoutLane(payload, nil, begun) }
        host.willPost()
        return beginning.flags.contains(.isSingle)
            ? postToSingle(payload, begun, in: lane) : postToEveryone(payload, begun, in: lane)
    }

    @usableFromInline
    func postFiltered(_ payload: Payload, from sender: Sender) -> Int {
        let (flags, begun) = everyone.beginning.parts
        let isFiltered = flags.contains(.isFiltered)
        guard let lane = lanes.claim(name) else {
            return postWithoutLane(payload, isFiltered ? search(from: sender) : nil, begun)
        }
        return unsafe post(payload, to: isFiltered ? roster(of: sender) : nil, flags, begun, in: lane)
    }

    @usableFromInline
    func postFiltered(_ payload: Payload, fromObjectAt tag: UInt) -> Int {
        let (flags, begun) = everyone.beginning.parts
        guard let lane = lanes.claim(name) else { return postWithoutLane(payload, searchOfObject(at: tag), begun) }
        return unsafe post(payload, to: roster(ofObjectAt: tag), flags, begun, in: lane)
    }

    @inline(__always)
    func post(
        _ payload: Payload, to found: Unmanaged<Roster>?, _ flags: Roster.Flags, _ begun: Int, in lane: Lane
    ) -> Int {
        if let roster = unsafe found {
            // The roster lives at least until this post leaves its lane, as in ``call(_:_:_:_:_:_:)``.
            let isCalled = unsafe roster._withUnsafeGuaranteedRef { roster in
                let beginning = roster.beginning
                return !flags.areShared && beginning.flags.contains(.isSingle) && everyone.count == begun
                    && callOnly(roster, beginning.count, payload, lane)
            }
            if isCalled { return end(lane, after: 1) }
        } else if flags.isSingleAndUnwatched, callOnly(everyone, begun, payload, lane) {
            return end(lane, after: 1)
        }
        return unsafe callAll(payload, of: found, flags, begun, in: lane)
    }

    /// Calls the only observer of a roster. Returns `false` without a call if observers have been added or cancelled
    /// since the entries were counted, or if a drain has begun.
    ///
    /// Exactly one of the `count` entries was live when they were counted. If the first chunk has a single live entry,
    /// and that entry's number is below `count`, this entry is the one to call.
    @inline(__always)
    private func callOnly(_ roster: Roster, _ count: Int, _ payload: Payload, _ lane: Lane) -> Bool {
        guard let address = unsafe roster.head.load(ordering: .sequentiallyConsistent) else { return false }
        let chunk = unsafe Chunk(address)
        let live = unsafe chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
        let index = live.trailingZeroBitCount
        // The drain bit is the sign bit, so a positive word doesn't have it.
        guard Int64(bitPattern: live) > 0, live & (live &- 1) == 0, chunk.first &+ index < count else { return false }
        let place = unsafe chunk.closureMemory(index)
        lane.announce(UInt(bitPattern: place))
        guard unsafe chunk.header.pointee.live.load(ordering: .relaxed) == live else {
            // A drain may be waiting for the end of the call that was announced, even if this chunk has been unlinked.
            leave(chunk, lane)
            return false
        }
        // The entry was live after the lane was claimed, so the closure exists until the lane is left.
        unsafe place.assumingMemoryBound(to: Observer<Payload>.self).pointee(payload)
        leave(chunk, lane)
        return true
    }

    @inline(__always)
    func end(_ lane: Lane, after calls: Int) -> Int {
        count(calls, lane)
        if !lane.leave(name) { leaveMarked(lane) }
        return calls
    }

    @inline(never)
    private func postToSingle(_ payload: Payload, _ begun: Int, in lane: Lane) -> Int {
        callOnly(everyone, begun, payload, lane) ? end(lane, after: 1) : postToEveryone(payload, begun, in: lane)
    }

    @usableFromInline
    @inline(never)
    func postToEveryone(_ payload: Payload, _ begun: Int, in lane: Lane) -> Int {
        var hook = NoHook()
        return end(lane, after: call(everyone, begun, payload, lane, &hook))
    }

    @inline(never)
    private func callAll(
        _ payload: Payload, of found: Unmanaged<Roster>?, _ flags: Roster.Flags, _ begun: Int, in lane: Lane
    ) -> Int {
        var hook = NoHook()
        return end(lane, after: unsafe call(found, flags, begun, payload, lane, &hook))
    }

    @inline(never)
    private func postElsewhere(_ payload: Payload, _ begun: Int) -> Int {
        guard let lane = lanes.claimOther(name) else { return postWithoutLane(payload, nil, begun) }
        return postToEveryone(payload, begun, in: lane)
    }

    @inline(never)
    private func postWithoutLane(_ payload: Payload, _ search: consuming RosterSearch?, _ begun: Int) -> Int {
        var hook = NoHook()
        return postWithoutLane(payload, search, begun, &hook)
    }
}
