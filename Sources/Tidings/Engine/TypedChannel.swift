public import Synchronization

/// A channel that calls its closures.
@usableFromInline
final class TypedChannel<N: TypedNotification>: Channel, @unchecked Sendable {  // adds no state
    @inlinable
    func add(
        sender: N.Sender?, registration: Registration, isToken: Bool, observer: @escaping @Sendable (N) -> Void
    ) -> EntryToken {
        let identity = sender.map(SenderIdentity.init(of:))
        let entry = unsafe add(identity, registration) { memory in
            // Raw memory of the size and alignment of an observer.
            unsafe memory.initializeMemory(as: Observer<N>.self, to: Observer(observer))
        }
        return EntryToken(entry, isToken: isToken)
    }

    @inlinable
    func post(_ notification: N) -> Int {
        let summary = summary.load(ordering: .acquiring)
        if summary == 0 { return 0 }
        if summary & Channel.isWatched != 0 { cancelSomeDead() }
        guard let claim = lanes.claim(name) else { return postWithoutLane(notification) }
        var walk = Walk(everyone, claim)
        var calls = 0
        if summary & Channel.isFiltered != 0, let roster = roster(of: notification) {
            calls = merge(&walk, roster, notification, claim)
        }
        calls &+= walk.call(notification, in: self, upTo: .max)
        if unsafe !claim.lane.pointee.leave(name) { leaveMarked(claim) }
        return calls
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

    /// Calls the observers of one sender, and before each those of every sender that were registered earlier.
    @usableFromInline
    func merge(_ everyone: inout Walk, _ roster: Roster, _ notification: N, _ claim: Lanes.Claim) -> Int {
        var filtered = Walk(roster, claim)
        var calls = 0
        while let position = filtered.position, position <= everyone.count {
            calls += everyone.call(notification, in: self, upTo: position)
            calls += filtered.callOne(notification, in: self)
        }
        return calls
    }
}
