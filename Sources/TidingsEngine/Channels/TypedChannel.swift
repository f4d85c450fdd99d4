/// A channel with the code that depends on the payload's type. The first part of a post, before it finds an observer,
/// is inlined into the posting code. Unspecialized code of this module calls the observers and passes them the
/// payload's address. Specialized code would copy the payload for each call.
@usableFromInline
package final class TypedChannel<Payload, Sender>: Channel, @unchecked Sendable {  // adds immutable and atomic state
    let rule: SenderRule<Sender>

    /// Whether the static type of senders is a class.
    @usableFromInline let hasObjectSenders: Bool

    @usableFromInline let objectPlace = ObjectPlace()

    /// Whether an entry was ever limited to a sender whose type was found to be hashable at run time.
    let hasValuesAtRunTime = AtomicByte(false)
    /// Whether an entry was ever limited to a sender that can't be compared, so that it matches no post.
    let hasUnmatched = AtomicByte(false)

    init(
        _ rule: SenderRule<Sender>, _ host: any ChannelHost, _ interests: HostInterests, hasMainActorSenders: Bool,
        hasFinished: Bool
    ) {
        self.rule = rule
        hasObjectSenders = if case .identity = rule { true } else { false }
        super.init(
            host, interests, hasMainActorSenders: hasMainActorSenders, hasFinished: hasFinished)
    }

    // MARK: - Adding

    /// Adds an observer, which is moved out of the optional so that it isn't retained.
    @inlinable
    package func add(_ details: EntryDetails, taking observer: inout Observer<Payload>?) -> Entry {
        Observer.move(&observer) { add(details, moving: $0) }
    }

    @inlinable
    package func add(_ details: EntryDetails, forObject sender: AnyObject, taking observer: inout Observer<Payload>?)
        -> Entry
    {
        Observer.move(&observer) { add(details, forObject: sender, moving: $0) }
    }

    @usableFromInline
    package func add(
        _ details: EntryDetails, for target: SenderTarget<Sender>, taking observer: inout Observer<Payload>?
    ) -> Entry {
        let search = search(for: target)
        return Observer.move(&observer) { add(details, for: search, moving: $0) }
    }

    // MARK: - Posting

    /// Posts if the post only has to call observers, and returns how many it called. Otherwise, returns `nil`.
    @inlinable
    @inline(__always)
    package func postIfUsual(_ payload: Payload, from sender: (Payload) -> Sender) -> Int? {
        let beginning = everyone.beginning
        let flags = beginning.flags
        if !flags.contains(.hasEntries) { return 0 }
        if !flags.contains(.isFiltered), !flags.areOfHost { return postToEveryone(payload, beginning) }
        return postIfLimited(payload, beginning, from: sender)
    }

    /// Posts a payload of the channel's type, for code that isn't specialized for the payload and its sender.
    @unsafe
    package override func postIfPlain<Value>(_ payload: Value) -> Int? {
        let beginning = everyone.beginning
        let flags = beginning.flags
        if !flags.contains(.hasEntries) { return 0 }
        if flags.contains(.isFiltered) || flags.areOfHost { return nil }
        // The caller found this channel by the payload's type, so `Value` is `Payload`.
        return unsafe postToEveryone(unsafeBitCast(payload, to: Payload.self), beginning)
    }

    /// The part of `postIfUsual` for channels whose host observes posts, or that have observers limited to a sender. It
    /// isn't inlined, so that `postIfUsual` is short enough to be inlined.
    @inlinable
    @inline(never)
    func postIfLimited(
        _ payload: Payload, _ beginning: Roster.Beginning, from sender: (Payload) -> Sender
    ) -> Int? {
        let flags = beginning.flags
        if flags.contains(.isTold) { return nil }
        if flags.contains(.isNoticed) { return postNoticed(payload, beginning) }
        if hasObjectSenders {
            return postFiltered(payload, fromObjectAt: TypedChannel.address(of: sender(payload)))
        }
        let place = objectPlace.known
        if place != 0 {
            // The sender is read and examined in one expression, so that it isn't retained.
            let address =
                place == ObjectPlace.everything
                ? ObjectPlace.firstWord(of: sender(payload)) : ObjectPlace.address(ifOf: place, in: sender(payload))
            if address >= ObjectPlace.lowest { return postFiltered(payload, fromObjectAt: address) }
        }
        return postFiltered(payload, from: sender(payload))
    }

    /// Returns the address of a sender. The sender needn't be retained while the address is in use: either the payload
    /// holds the sender, or the sender was created for this post, and no observer can be limited to it.
    @inlinable
    @inline(__always)
    static func address(of sender: Sender) -> UInt {
        // `Sender` is a class, so the sender is one reference. `as AnyObject` would query the runtime.
        unsafe UInt(bitPattern: ObjectIdentifier(unsafeBitCast(sender, to: AnyObject.self)))
    }

    package func post<Hook: PostHook>(
        _ payload: Payload, from sender: Sender, hook: inout Hook
    ) -> Int {
        let (flags, begun) = everyone.beginning.parts
        return flags.contains(.hasEntries) ? post(payload, from: sender, flags, begun, &hook) : 0
    }

    @inlinable package var isTold: Bool { everyone.flags.contains(.isTold) }

    @inline(__always)
    private func post<Hook: PostHook>(
        _ payload: Payload, from sender: Sender, _ flags: Roster.Flags, _ begun: Int, _ hook: inout Hook
    ) -> Int {
        guard let lane = lanes.claim(name) else {
            return postWithoutLane(payload, flags.contains(.isFiltered) ? search(from: sender) : nil, begun, &hook)
        }
        if flags.areOfHost { host.willPost() }
        let found = unsafe flags.contains(.isFiltered) ? roster(of: sender) : nil
        let calls = unsafe call(found, flags, begun, payload, lane, &hook) - hook.refusals
        count(calls, lane)
        if !lane.leave(name) { leaveMarked(lane) }
        return calls
    }

    @inline(__always)
    func count(_ calls: Int, _ lane: Lane) {
        LaneCounters.countPost(calls, in: lane, atDistance: distanceOfCounters)
    }

    /// Calls the observers without a sender, and those in `found`, if the post's sender has a roster. The flags and
    /// `begun`, the number of entries without a sender, were loaded when the post began.
    @inline(__always)
    func call<Hook: PostHook>(
        _ found: Unmanaged<Roster>?, _ flags: Roster.Flags, _ begun: Int, _ payload: Payload, _ lane: Lane,
        _ hook: inout Hook
    ) -> Int {
        guard let found = unsafe found else {
            if _slowPath(flags.contains(.isWatched)) { endWatchedDead(lane, sender: nil) }
            return call(everyone, begun, payload, lane, &hook)
        }
        // The roster lives at least until the post leaves its lane; see ``SenderTable/first(_:where:)``.
        return unsafe found._withUnsafeGuaranteedRef { roster in
            callObservers(of: roster, flags, begun, payload, lane, &hook)
        }
    }

    @inline(__always)
    private func callObservers<Hook: PostHook>(
        of roster: Roster, _ flags: Roster.Flags, _ begun: Int, _ payload: Payload, _ lane: Lane, _ hook: inout Hook
    ) -> Int {
        let count = roster.count
        // `count` is loaded first, so that observers that a `deinit` adds during this check aren't called.
        if _slowPath(flags.contains(.isWatched)), !reachesAllWatched(from: roster) {
            endWatchedDead(lane, sender: roster)
        }
        // If an observer without a sender was added since the post began, `callMerged` skips it and later observers.
        if flags.contains(.isShared) || everyone.count != begun {
            return callMerged(roster, count, begun, payload, lane, &hook)
        }
        return call(roster, count, payload, lane, &hook)
    }

    /// Calls the entries whose numbers are below `count`: those that existed when the post began.
    @inline(__always)
    func call<Hook: PostHook>(
        _ roster: Roster, _ count: Int, _ payload: Payload, _ lane: Lane, _ hook: inout Hook
    ) -> Int {
        var calls = 0
        var next = unsafe roster.head.load(ordering: .sequentiallyConsistent)
        while let address = unsafe next {
            let chunk = unsafe Chunk(address)
            // The live word when it was last read. While it stays the same, every pending entry is live.
            var seen = unsafe chunk.header.pointee.live.load(ordering: .sequentiallyConsistent) & ~Chunk.drainBit
            // A bit for each entry to be called. Bit 0 is the entry at `place`. `place` is incremented instead of
            // computed from the live word, so that a call doesn't wait for the load of that word.
            var pending = unsafe seen & Walk.below(count &- chunk.header.pointee.first)
            let first = unsafe chunk.closureMemory(0)
            var place = unsafe first
            while true {
                if _slowPath(pending & 1 == 0) {
                    if pending == 0 { break }
                    let gap = pending.trailingZeroBitCount
                    pending &>>= UInt64(truncatingIfNeeded: gap)
                    unsafe place += gap &* Chunk.entrySize
                }
                lane.announce(UInt(bitPattern: place))
                let entry = unsafe Entry(chunk, at: place)
                let isWanted = hook.willCall(entry, entry.details)
                // This check comes last, because `willCall` may run user code that cancels the observer.
                if _slowPath(unsafe chunk.header.pointee.live.load(ordering: .relaxed) != seen) {
                    (seen, pending) = unsafe lookAgain(chunk, pending, (place - first) / Chunk.entrySize)
                    if pending & 1 == 0 { continue }
                }
                if isWanted {
                    // The entry was live after the lane was claimed, so the closure exists until the lane is left.
                    unsafe place.assumingMemoryBound(to: Observer<Payload>.self).pointee(payload)
                    hook.didCall(entry)
                    calls &+= 1
                }
                unsafe place += Chunk.entrySize
                pending &>>= 1
            }
            leave(chunk, lane)
            unsafe next = unsafe chunk.header.pointee.next.load(ordering: .sequentiallyConsistent)
        }
        return calls
    }

    private func callMerged<Hook: PostHook>(
        _ roster: Roster, _ count: Int, _ begun: Int, _ payload: Payload, _ lane: Lane, _ hook: inout Hook
    ) -> Int {
        var everyone = Walk(everyone, begun)
        var filtered = Walk(roster, count)
        // If the walk found no entry, the channel may have hidden its entries before the post began; see `finish`.
        if _slowPath(everyone.number == Walk.end), hidesEntries { return 0 }
        var calls = 0
        while filtered.number != Walk.end {
            let place = filtered.place
            let position = place.chunk.position(place.index)
            if position > everyone.count { break }
            while everyone.number < position { calls &+= callNext(&everyone, payload, lane, &hook) }
            calls &+= callNext(&filtered, payload, lane, &hook)
        }
        while everyone.number != Walk.end { calls &+= callNext(&everyone, payload, lane, &hook) }
        return calls
    }

    @inline(__always)
    func callNext<Hook: PostHook>(
        _ walk: inout Walk, _ payload: Payload, _ lane: Lane, _ hook: inout Hook
    ) -> Int {
        let (chunk, index) = walk.place
        walk.advance()
        let memory = unsafe chunk.closureMemory(index)
        lane.announce(UInt(bitPattern: memory))
        let entry = unsafe Entry(chunk, at: memory)
        let isWanted = hook.willCall(entry, entry.details)
        // As in `call`, this check comes last, because `willCall` may run user code that cancels the observer.
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
        let live = unsafe chunk.header.pointee.live.load(ordering: .relaxed)
        var isLive = live & (bit | Chunk.drainBit) == bit
        if _slowPath(!isLive) { isLive = lookAgain(chunk, 1, index).pending != 0 }
        if isWanted && isLive {
            unsafe memory.assumingMemoryBound(to: Observer<Payload>.self).pointee(payload)
            hook.didCall(entry)
        }
        // The next call may be in a chunk of the other roster.
        leave(chunk, lane)
        return isWanted && isLive ? 1 : 0
    }

    @inline(__always)
    func leave(_ chunk: Chunk, _ lane: Lane) {
        lane.announce(0)
        let live = unsafe chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
        if _slowPath(live & Chunk.drainBit != 0) { callEnded() }
    }
}
