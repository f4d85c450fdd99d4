public import Synchronization

/// A channel that calls its closures.
@usableFromInline
final class TypedChannel<N: TypedNotification>: Channel, @unchecked Sendable {  // adds no state
    override func destroyClosure(at address: UnsafeMutableRawPointer) {
        // Initialised as this type by `add`, and destroyed once, as an entry is retired once.
        unsafe address.assumingMemoryBound(to: Observer<N>.self).deinitialize(count: 1)
    }

    @inlinable
    func add(
        sender: N.Sender?, registration: Registration, observer: consuming @escaping @Sendable (N) -> Void
    ) -> EntryToken {
        let identity = sender.map(SenderIdentity.init(of:)) ?? .none
        var observer = Optional(Observer(observer))
        let entry = unsafe add(identity, registration) { memory in
            guard let observer = observer.take() else { preconditionFailure("an entry is initialised once") }
            // Raw memory of the size and alignment of an observer.
            unsafe memory.initializeMemory(as: Observer<N>.self, to: observer)
        }
        return EntryToken(entry)
    }

    @inlinable
    func post(_ notification: N) -> Int {
        let summary = summary.load(ordering: .acquiring)
        if summary == 0 { return 0 }
        if summary & Channel.isWatched != 0 { cancelSomeDead() }
        guard let claim = Lanes.shared.claim(name) else { return postWithoutLane(notification) }
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
                let tag = UInt(bitPattern: ObjectIdentifier(sender as AnyObject))
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
