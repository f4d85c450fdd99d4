import TidingsEngine

/// The latest notification of each sender. Invariant: a post gets its number and is stored in its sender's slot in one
/// step under the lock. A registration reads the number of posts and the latest post in one step, so later posts have
/// greater numbers.
///
/// No user code runs under the lock: values are compared without the lock, and replaced notifications are released
/// after the unlock. If no slot matches, and a slot with the same hash was added during the comparison, the comparison
/// is repeated. The class isn't generic, because unspecialized code looks up generic types at run time in every step.
@usableFromInline
final class LatestNotifications: Sendable {
    private let keeper: (any AnyObject & Sendable)?
    @export(implementation) let keepsWhole: Bool
    private let state = Lock(State())

    /// The slot for senders that are `Void`, can't be compared or don't equal themselves.
    private let others = Slot()

    init(keeper: (any AnyObject & Sendable)?) {
        self.keeper = keeper
        keepsWhole = keeper == nil
    }

    /// Reuses the object of the sender's last post for a new post, unless the object is shared. `exchange` is called
    /// under the lock, so it mustn't run user code. Returns 0 if the post wasn't stored.
    @usableFromInline
    func keepInPlace(ofObjectAt address: UInt, exchange: (KeptPost) -> Void) -> UInt64 {
        let rest = state.withLock { state in
            if address == 0 { return state.keepInPlace(in: others, exchange) }
            return state.slot(ofObjectAt: address).map { state.keepInPlace(in: $0, exchange) } ?? Rest.ofRefused
        }
        return finish(rest)
    }

    /// All `keep` methods return the number of the post; 0 if the center has finished.
    private func keep(_ post: KeptPost) -> UInt64 { finish(state.withLock { $0.keep(post, in: others) }) }

    private func keep(_ post: KeptPost, ofObjectAt address: UInt, makeSlot: () -> Slot) -> UInt64 {
        let rest = state.withLock { state in state.slot(ofObjectAt: address).map { state.keep(post, in: $0) } }
        if let rest { return finish(rest) }
        let new = makeSlot()
        return finish(state.withLock { state in state.keep(post, in: state.slot(ofObjectAt: address) ?? new) })
    }

    /// Keeps the post of a value sender. If the sender doesn't equal itself, like a NaN, the post is kept in `others`,
    /// because no observer can be limited to this sender.
    private func keep(_ post: KeptPost, tag: Int, isSlot: (Slot) -> Bool, makeSlot: () -> Slot) -> UInt64 {
        while true {
            let candidates = state.withLock { $0.slots[tag] }
            if let slot = candidates?.first(where: isSlot) {
                // The slot is still valid, because the slot of a value is never removed.
                return finish(state.withLock { $0.keep(post, in: slot) })
            }
            let new = makeSlot()
            if !isSlot(new) { return keep(post) }
            let rest = state.withLock { state in
                SlotsOfTag.areSame(state.slots[tag], candidates) ? state.keep(post, in: new) : nil
            }
            if let rest { return finish(rest) }
        }
    }

    private func finish(_ rest: consuming Rest) -> UInt64 {
        if let looked = rest.looked { removeDead(of: looked) }
        return rest.number
    }

    /// Releases the notifications of some deallocated senders. For a main-actor type, call this on the main actor.
    func removeSomeDead() { removeDead(of: state.withLock { $0.someSlots() }) }

    private func removeDead(of slots: [Slot]) {
        let dead = slots.filter { !$0.isAlive }
        if !dead.isEmpty { remove(dead) }
    }

    private func remove(_ dead: [Slot]) {
        // The notifications are released with `dead`, after the unlock.
        state.withLock { state in for slot in dead { state.remove(slot) } }
    }

    private func remove(_ dead: Slot, lookingUpTo boundary: UInt64) -> Found? {
        state.withLock { state in
            let found = state.found(before: dead, upTo: boundary)
            state.remove(dead)
            return found
        }
    }

    /// Refuses further posts. Registrations in progress can use the stored posts until ``close()``.
    @usableFromInline func stop() { state.withLock { $0.isOpen = false } }

    @usableFromInline
    func close() {
        let released = state.withLock { state in
            let released = (state.all, others.kept)
            for slot in released.0 { slot.place = -1 }
            others.kept = nil
            state = State(count: state.count, isOpen: false)
            return released
        }
        withExtendedLifetime(released) {}
    }

    /// Returns the number of posts so far, and the latest post that the filter accepts. `mayLook` permits checks for
    /// deallocated senders. For a main-actor type, such checks need the main actor.
    func snapshot<Sender>(for filter: SenderFilter<Sender>, lookingForDead mayLook: Bool) -> Snapshot {
        if mayLook { removeSomeDead() }
        guard filter.isLimited else { return state.withLock { $0.snapshot(of: $0.newestSlot, isOfEveryone: true) } }
        if let object = filter.senderObject {
            let sender = object.object
            defer { extendLifetime(sender) }
            let address = sender.map { UInt(bitPattern: ObjectIdentifier($0)) }
            return state.withLock { state in state.snapshot(of: address.flatMap { state.slot(ofObjectAt: $0) }) }
        }
        guard let tag = filter.tag, let sender = filter.sender else { return state.withLock { $0.snapshot(of: nil) } }
        while true {
            let candidates = state.withLock { $0.slots[tag] }
            let found = candidates?.first { $0.isSlot(of: sender) }
            let snapshot = state.withLock { state in
                found == nil && !SlotsOfTag.areSame(state.slots[tag], candidates) ? nil : state.snapshot(of: found)
            }
            if let snapshot { return snapshot }
        }
    }

    func latest<N: TypedNotification>(_ type: N.Type, of snapshot: Snapshot) -> HandedOver? {
        var latest = snapshot.latest
        while let found = latest {
            let object = found.slot.object?.object
            if object != nil || found.slot.isAlive {
                // All posts that are stored here have the type `N`. Debug builds check the cast.
                let kept = unsafe unsafeDowncast(found.post, to: KeptNotification<N>.self)
                return HandedOverOf(kept.notification(from: object), of: kept, sender: object)
            }
            let older = remove(found.slot, lookingUpTo: snapshot.boundary)
            if !snapshot.isOfEveryone { return nil }
            latest = older
        }
        return nil
    }
}

extension LatestNotifications {
    func post<N: TypedNotification>(of notification: N, from sender: N.Sender) -> KeptNotification<N> {
        guard let keeper else { return WholeNotification(notification, isShared: true) }
        // `NotificationReplay` checks that the keeper was created for this type. Debug builds check the cast.
        let keeperOfType = unsafe unsafeDowncast(keeper, to: NotificationKeeper<N>.self)
        return SenderlessNotification(notification, from: sender, keptBy: keeperOfType)
    }

    /// Stores a notification. Afterwards, `notification` may contain the sender's previous notification, which the
    /// caller releases after the unlock. `address` is 0 unless the sender is a known object.
    @export(implementation)
    @inline(__always)
    func keep<N: TypedNotification>(
        _ notification: inout N, fromObjectAt address: UInt, orFrom sender: N.Sender,
        in channel: TypedChannel<Replayed<N>, N.Sender>
    ) -> UInt64 {
        if address != 0 || N.Sender.self == Void.self {
            let number = keepInPlace(ofObjectAt: address) { kept in
                // `keepsWhole` is set here, so each stored post has this class. Debug builds check the cast.
                unsafe unsafeDowncast(kept, to: WholeNotification<N>.self).exchange(with: &notification)
            }
            if number > 0 { return number }
        }
        return keep(WholeNotification(notification), from: sender, in: channel)
    }

    @usableFromInline
    @inline(never)
    func keep<N: TypedNotification>(
        _ post: KeptNotification<N>, from sender: N.Sender, in channel: TypedChannel<Replayed<N>, N.Sender>
    ) -> UInt64 {
        func makeSlot() -> Slot { Slot(SenderFilter(unchecked: sender, N.senderComparison)) }
        switch N.tag(of: sender) {
        case .none: return keep(post)
        case .object(let object):
            channel.learn(object, in: sender)
            defer { extendLifetime(object) }
            return keep(post, ofObjectAt: UInt(bitPattern: ObjectIdentifier(object)), makeSlot: makeSlot)
        case .value(let hash):
            return keep(post, tag: hash, isSlot: { $0.isSlot(of: sender) }, makeSlot: makeSlot)
        }
    }
}
