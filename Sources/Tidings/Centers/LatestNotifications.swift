import TidingsEngine

/// Numbers the posts of a type in one center, and keeps the latest of each sender.
///
/// A post gets its number and is kept in one step under the lock. So is the latest notification looked up with the number of
/// posts, in another. So a registration that knows the latest notification knows which posts come after it.
///
/// Under the lock no code of a user runs: values are compared, and what is replaced is released, outside. That no slot is the one of
/// a value, as a comparison before the lock has found, counts only if no slot with its hash has been added since.
///
/// It does not know the type, as code that is generic at run time looks types up at each step. What does is in an extension.
@usableFromInline
final class LatestNotifications: Sendable {
    /// Takes the content out of notifications: a ``NotificationKeeper`` of the type; `nil` if they are kept as they are.
    private let keeper: (any AnyObject & Sendable)?

    /// Whether notifications are kept as they are.
    @export(implementation) let keepsWhole: Bool

    private let state = Lock(State())

    /// The slot of senders that can be compared with no other, or are not the same as themselves. Here, as a reference that does not
    /// change need not be retained where it is used; what is in it is under the lock.
    private let others = Slot()

    init(keeper: (any AnyObject & Sendable)?) {
        self.keeper = keeper
        keepsWhole = keeper == nil
    }

    // MARK: - Posts

    /// Numbers a post, and keeps its notification in the place of the last one from the same sender, if there is one that no registration
    /// has looked up.
    ///
    /// - Parameters:
    ///   - address: The address of the object that the sender is, which the caller holds; 0 if the post has none.
    ///   - exchange: Exchanges the notification for the one that was kept. It is called under the lock, so it runs no code of a user.
    /// - Returns: The number of the post; 0, and nothing has happened, if there is no such place, or the center has finished.
    @usableFromInline
    func keepInPlace(ofObjectAt address: UInt, exchange: (KeptPost) -> Void) -> UInt64 {
        let rest = state.withLock { state in
            if address == 0 { return state.keepInPlace(in: others, exchange) }
            return state.slot(ofObjectAt: address).map { state.keepInPlace(in: $0, exchange) } ?? Rest.ofRefused
        }
        if let looked = rest.looked { removeDead(of: looked) }
        return rest.number
    }

    /// Keeps a post from a sender that can be compared with no other, or from none.
    ///
    /// - Returns: The number of the post; 0 if the center has finished, here and below.
    private func keep(_ post: KeptPost) -> UInt64 { finish(state.withLock { $0.keep(post, in: others) }) }

    /// Keeps a post from an object.
    ///
    /// - Parameters:
    ///   - post: The post.
    ///   - address: The address of the object, which the caller holds.
    ///   - makeSlot: Makes a slot for the object, if it has not posted before.
    /// - Returns: The number of the post.
    private func keep(_ post: KeptPost, ofObjectAt address: UInt, makeSlot: () -> Slot) -> UInt64 {
        let rest = state.withLock { state in state.slot(ofObjectAt: address).map { state.keep(post, in: $0) } }
        if let rest { return finish(rest) }
        let new = makeSlot()
        return finish(state.withLock { state in state.keep(post, in: state.slot(ofObjectAt: address) ?? new) })
    }

    /// Keeps a post from a value. One that does not equal itself has no slot of its own, as no observer can be limited to it.
    ///
    /// - Parameters:
    ///   - post: The post.
    ///   - tag: The hash of the value.
    ///   - isSlot: Whether a slot is that of the value.
    ///   - makeSlot: Makes one.
    /// - Returns: The number of the post.
    private func keep(_ post: KeptPost, tag: Int, isSlot: (Slot) -> Bool, makeSlot: () -> Slot) -> UInt64 {
        while true {
            let candidates = state.withLock { $0.slots[tag] }
            if let slot = candidates?.first(where: isSlot) {
                // The slot of a value is never removed.
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

    /// Does what a post has left to do. What it has replaced is released here, where the lock is free.
    ///
    /// - Returns: The number of the post.
    private func finish(_ rest: consuming Rest) -> UInt64 {
        if let looked = rest.looked { removeDead(of: looked) }
        return rest.number
    }

    /// Removes the slots whose sender is dead.
    private func removeDead(of slots: [Slot]) {
        let dead = slots.filter { !$0.isAlive }
        if !dead.isEmpty { remove(dead) }
    }

    private func remove(_ dead: [Slot]) {
        // The notifications are released with `dead`, after the lock.
        state.withLock { state in for slot in dead { state.remove(slot) } }
    }

    /// Looks for the latest notification before what a slot holds, and removes that.
    private func remove(_ dead: Slot, lookingUpTo boundary: UInt64) -> Found? {
        state.withLock { state in
            let found = state.found(before: dead, upTo: boundary)
            state.remove(dead)
            return found
        }
    }

    /// Keeps no post any more. What there is stays for the registrations that are under way, which get later posts as others do.
    @usableFromInline func stop() { state.withLock { $0.isOpen = false } }

    /// Releases everything, and keeps nothing any more.
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

    // MARK: - Registrations

    /// Looks up the latest notification for an observer, and how many posts there were at that moment.
    ///
    /// - Parameters:
    ///   - filter: The sender to which the observer is limited.
    ///   - mayLook: Whether senders may be looked at.
    /// - Returns: Both, as of one moment.
    func snapshot<Sender>(for filter: SenderFilter<Sender>, lookingForDead mayLook: Bool) -> Snapshot {
        if mayLook { removeDead(of: state.withLock { $0.someSlots() }) }
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

    /// The latest notification of a snapshot; `nil` if there was none, or its sender is gone.
    func latest<N: TypedNotification>(_ type: N.Type, of snapshot: Snapshot) -> HandedOver? {
        var latest = snapshot.latest
        while let found = latest {
            let object = found.slot.object?.object
            if object != nil || found.slot.isAlive {
                // All posts of one store are of one type. Checked in debug builds.
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

/// What knows the type of notification.
extension LatestNotifications {
    /// Makes a post to be kept that the caller goes on to use.
    func post<N: TypedNotification>(of notification: N, from sender: N.Sender) -> KeptNotification<N> {
        guard let keeper else { return WholeNotification(notification, isShared: true) }
        // Made for the type, as `NotificationReplay` checks. Checked in debug builds.
        let keeperOfType = unsafe unsafeDowncast(keeper, to: NotificationKeeper<N>.self)
        return SenderlessNotification(notification, from: sender, keptBy: keeperOfType)
    }

    /// Numbers a post, and keeps its notification as the latest of its sender, unless the center has finished.
    ///
    /// - Parameters:
    ///   - notification: The notification. It may be exchanged for the one that was kept before.
    ///   - address: The address of the object that the sender is; 0 if it is none, or has to be looked at.
    ///   - sender: The sender.
    ///   - channel: The channel of the type.
    /// - Returns: The number of the post; 0 if the center has finished.
    @export(implementation)
    @inline(__always)
    func keep<N: TypedNotification>(
        _ notification: inout N, fromObjectAt address: UInt, orFrom sender: N.Sender,
        in channel: TypedChannel<Replayed<N>, N.Sender>
    ) -> UInt64 {
        if address != 0 || N.Sender.self == Void.self {
            let number = keepInPlace(ofObjectAt: address) { kept in
                // Whole, as this keeps it, and all posts of one store are of one type. Checked in debug builds.
                unsafe unsafeDowncast(kept, to: WholeNotification<N>.self).exchange(with: &notification)
            }
            if number > 0 { return number }
        }
        return keep(WholeNotification(notification), from: sender, in: channel)
    }

    /// Keeps a post whose sender has to be looked at, or that finds no place in which it can be kept.
    ///
    /// - Returns: The number of the post; 0 if the center has finished.
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
