import TidingsEngine

/// Numbers the posts of a type in one center, and keeps the latest of each sender.
///
/// A post gets its number and is kept in one step under the lock. So is the latest notification looked up with the number of
/// posts, in another. So a registration that knows the latest notification knows which posts come after it.
///
/// Under the lock no code of a user runs: values are compared, and what is replaced is released, outside. A comparison that was
/// made before the lock is used only if no slot has come or gone since.
///
/// It does not know the type, as code that is generic at run time looks types up at each step. What does is in an extension.
@usableFromInline
final class LatestNotifications: Sendable {
    /// Takes the content out of notifications: a ``NotificationKeeper`` of the type; `nil` if they are kept as they are.
    private let keeper: (any AnyObject & Sendable)?

    /// Whether notifications are kept as they are.
    @usableFromInline let keepsWhole: Bool

    private let state = Lock(State())

    init(keeper: (any AnyObject & Sendable)?) {
        self.keeper = keeper
        keepsWhole = keeper == nil
    }

    // MARK: - Posts

    /// Keeps a post from a sender that can be compared with no other, or from none.
    @usableFromInline
    func keep(_ post: KeptPost) {
        finish(state.withLock { $0.keep(post, in: $0.others) })
    }

    /// Keeps a post from an object that has posted before.
    ///
    /// - Parameters:
    ///   - post: The post.
    ///   - address: The address of the object, which the caller holds.
    /// - Returns: Whether the object has posted before. If not, nothing is kept.
    @usableFromInline
    func keep(_ post: KeptPost, ofObjectAt address: UInt) -> Bool {
        let rest = state.withLock { state in
            state.slot(ofObjectAt: address).map { state.keep(post, in: $0) }
        }
        guard let rest else { return false }
        finish(rest)
        return true
    }

    /// Keeps a post from an object, of which the caller has made a slot.
    private func keep(_ post: KeptPost, ofObjectAt address: UInt, orIn new: Slot) {
        finish(
            state.withLock { state in
                state.keep(post, in: state.slot(ofObjectAt: address) ?? state.add(new))
            })
    }

    /// Keeps a post from a value.
    ///
    /// - Parameters:
    ///   - post: The post.
    ///   - tag: The hash of the value.
    ///   - isSlot: Whether a slot is that of the value.
    ///   - makeSlot: Makes one.
    private func keep(_ post: KeptPost, tag: Int, isSlot: (Slot) -> Bool, makeSlot: () -> Slot) {
        while true {
            let (candidates, changes) = candidates(tag)
            let found = candidates.first(where: isSlot)
            let slot = found ?? makeSlot()
            let rest = state.withLock { state -> Rest? in
                if state.changes != changes { return nil }
                return state.keep(post, in: found ?? state.add(slot))
            }
            if let rest { return finish(rest) }
        }
    }

    private func candidates(_ tag: Int) -> (slots: [Slot], changes: Int) {
        state.withLock { state in (state.slots[tag] ?? [], state.changes) }
    }

    /// Does what a post has left to do. What it has replaced is released here, where the lock is free.
    private func finish(_ rest: consuming Rest) { removeDead(of: rest.looked) }

    /// Removes the slots whose sender is dead.
    private func removeDead(of slots: [Slot]) {
        if slots.isEmpty { return }
        let dead = slots.filter { !$0.isAlive }
        if !dead.isEmpty { remove(dead) }
    }

    private func remove(_ dead: [Slot]) {
        // The notifications are released with `dead`, after the lock.
        state.withLock { state in for slot in dead { state.remove(slot) } }
    }

    /// Releases everything, and keeps nothing any more.
    func close() {
        let released = state.withLock { state in
            let released = state.all
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
        if mayLook { removeDead(of: state.withLock { $0.someMortals(32) }) }
        guard filter.isLimited else { return state.withLock { $0.snapshot(of: $0.newest, isOfEveryone: true) } }
        if let object = filter.senderObject {
            let sender = object.object
            defer { extendLifetime(sender) }
            let address = sender.map { UInt(bitPattern: ObjectIdentifier($0)) }
            return state.withLock { state in state.snapshot(of: address.flatMap { state.slot(ofObjectAt: $0) }) }
        }
        guard let tag = filter.tag, let sender = filter.sender else { return state.withLock { $0.snapshot(of: nil) } }
        while true {
            let (candidates, changes) = candidates(tag)
            let found = candidates.first { $0.isSlot(of: sender) }
            let snapshot = state.withLock { $0.changes == changes ? $0.snapshot(of: found) : nil }
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
                return HandedOverOf(kept.whole(from: object), isLatest: true, sender: object)
            }
            remove([found.slot])
            if !snapshot.isOfEveryone { return nil }
            latest = state.withLock { Found($0.newest(upTo: snapshot.boundary)) }
        }
        return nil
    }
}

/// What knows the type of notification.
extension LatestNotifications {
    /// Keeps a post whose notification is kept without its sender.
    ///
    /// - Returns: The notification itself, for the observers.
    @usableFromInline
    @inline(never)
    func keepSenderless<N: TypedNotification>(
        _ notification: N, from sender: N.Sender, in channel: TypedChannel<Replayed<N>, N.Sender>
    ) -> WholeNotification<N> {
        guard let keeper else { preconditionFailure("the notification is kept as it is") }
        // Made for the type, as `NotificationReplay` checks. Checked in debug builds.
        let keeperOfType = unsafe unsafeDowncast(keeper, to: NotificationKeeper<N>.self)
        let post = SenderlessNotification(notification, from: sender, keptBy: keeperOfType)
        keep(post, from: sender, in: channel)
        return WholeNotification(notification, of: post)
    }

    /// Keeps a post from a sender that has to be looked at, or from an object that has not posted before.
    @usableFromInline
    @inline(never)
    func keep<N: TypedNotification>(
        _ post: KeptPost, from sender: N.Sender, in channel: TypedChannel<Replayed<N>, N.Sender>
    ) {
        func makeSlot() -> Slot { Slot(SenderFilter(unchecked: sender, N.senderComparison)) }
        switch N.tag(of: sender) {
        case .none: keep(post)
        case .object(let object):
            channel.learn(object, in: sender)
            let address = UInt(bitPattern: ObjectIdentifier(object))
            if !keep(post, ofObjectAt: address) { keep(post, ofObjectAt: address, orIn: makeSlot()) }
            extendLifetime(object)
        case .value(let hash):
            keep(post, tag: hash, isSlot: { $0.isSlot(of: sender) }, makeSlot: makeSlot)
        }
    }
}
