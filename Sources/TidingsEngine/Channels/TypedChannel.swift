public import Synchronization

/// A channel that calls its closures.
@usableFromInline
final class TypedChannel<N: TypedNotification>: Channel, @unchecked Sendable {  // adds no state
    /// Adds an observer, which is taken out of the optional: moved, it need not be retained.
    @inlinable
    func add(
        sender: N.Sender?, registration: ObserverRegistration, isToken: Bool, taking observer: inout Observer<N>?
    ) -> EntryToken {
        // The memory is raw, and of the size and alignment of an observer.
        let entry =
            if let sender {
                unsafe add(registration, sender: SenderIdentity(of: sender)) { memory in
                    unsafe Observer.move(&observer, to: memory)
                }
            } else {
                unsafe add(registration) { memory in
                    unsafe Observer.move(&observer, to: memory)
                }
            }
        return EntryToken(entry, isToken: isToken)
    }

    /// Makes a post. The place is only looked at if something is unusual: other posts are not even handed it.
    @inlinable
    @inline(__always)
    func post(_ notification: N, from place: SourcePlace) -> Int {
        if let calls = post(notification, unless: .isUnusual) { return calls }
        return postUnusual(notification, from: place)
    }

    /// Makes a post in which there may be more to do than to call observers.
    @inlinable
    @inline(never)
    func postUnusual(_ notification: N, from place: SourcePlace) -> Int {
        postWatched(notification, from: place) ?? post(notification, unless: []) ?? 0
    }

    /// Makes a post.
    ///
    /// - Returns: How many observers were called; `nil`, and no post is made, if the channel has one of these flags.
    @inlinable
    func post(_ notification: N, unless unusual: Roster.Flags) -> Int? {
        let flags = everyone.flags
        if !flags.contains(.hasEntries) { return 0 }
        if !flags.isDisjoint(with: unusual) { return nil }
        guard let lane = lanes.claim(name) else { return postWithoutLane(notification) }
        let calls =
            if flags.contains(.isFiltered), let roster = roster(of: notification) {
                callMerged(roster, notification, lane)
            } else {
                callEveryone(notification, lane)
            }
        if !lane.leave(name) { leaveMarked(lane) }
        return calls
    }

    /// Calls the observers of every sender that were there when the post began.
    @inlinable
    @inline(__always)
    func callEveryone(_ notification: N, _ lane: Lane) -> Int {
        var calls = 0
        let count = everyone.count
        var next = unsafe everyone.head.load(ordering: .sequentiallyConsistent)
        while let address = unsafe next {
            let chunk = unsafe Chunk(address)
            var now = Walk.live(in: chunk, count)
            calls &+= now.nonzeroBitCount
            while now != 0 {
                if !call(now.trailingZeroBitCount, of: chunk, notification, lane) { calls &-= 1 }
                now &= now &- 1
            }
            leave(chunk, lane)
            unsafe next = unsafe chunk.header.pointee.next.load(ordering: .sequentiallyConsistent)
        }
        return calls
    }

    /// Calls the observers of one sender, and among them those of every sender, in the order of their registration.
    @usableFromInline
    func callMerged(_ roster: Roster, _ notification: N, _ lane: Lane) -> Int {
        // In this order: what was added to both meanwhile is then seen in neither, or in the one it was added to first.
        var everyone = Walk(everyone, lane)
        var filtered = Walk(roster, lane)
        var calls = 0
        while let next = filtered.next {
            let position = next.chunk.position(next.index)
            if position > everyone.count { break }
            calls += everyone.call(notification, in: self, upTo: position)
            calls += filtered.callNext(notification, in: self)
        }
        return calls + everyone.call(notification, in: self, upTo: .max)
    }

    /// Announces a call in the lane, looks whether the entry is still live, and calls it.
    @inlinable
    @inline(__always)
    func call(_ index: Int, of chunk: Chunk, _ notification: N, _ lane: Lane) -> Bool {
        let memory = unsafe chunk.entry(index)
        lane.announce(UInt(bitPattern: memory))
        let live = unsafe chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
        if live & Chunk.isDrained != 0 { callEnded() }
        if live & (1 &<< UInt64(truncatingIfNeeded: index)) == 0 { return false }
        // The entry was live after the lane was claimed, so the closure is there until the lane is left.
        unsafe memory.assumingMemoryBound(to: Observer<N>.self).pointee(notification)
        return true
    }

    /// Takes the announcement of the last call in a chunk back, and tells who waits for its end.
    @inlinable
    @inline(__always)
    func leave(_ chunk: Chunk, _ lane: Lane) {
        lane.announce(0)
        let live = unsafe chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
        if live & Chunk.isDrained != 0 { callEnded() }
    }

    /// The observers limited to the notification's sender.
    @inlinable
    func roster(of notification: N) -> Roster? {
        if N.Sender.self == Void.self { return nil }
        // The table lives at least until this post leaves its lane.
        let table = unsafe Unmanaged<SenderTable>.fromOpaque(senders.load(ordering: .sequentiallyConsistent))
        let sender = notification.sender
        return unsafe table._withUnsafeGuaranteedRef { table in
            if N.Sender.self is AnyObject.Type {
                // A class, so the sender is one reference. (`as AnyObject` asks the runtime.)
                let tag = unsafe UInt(bitPattern: ObjectIdentifier(unsafeBitCast(sender, to: AnyObject.self)))
                if !table.mayContain(tag) { return nil }
            }
            return table.roster(of: SenderIdentity(of: sender))
        }
    }
}
