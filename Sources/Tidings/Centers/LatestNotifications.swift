import TidingsEngine

/// The store of the latest notifications of a type, as a channel's host holds it, which does not know the type.
protocol LatestKeeping: AnyObject, Sendable {
    /// Releases everything, and keeps nothing any more.
    func close()
}

/// Numbers the posts of a type in one center, and keeps the latest of each sender.
///
/// A post gets its number and its notification is kept in one step under the lock. So is the latest notification looked up with
/// the number of posts, in another. So a registration that knows the latest notification knows which posts come after it.
///
/// Under the lock no code of a user runs: senders are compared, looked at and released outside. A comparison that was made before
/// the lock is used only if no slot has come or gone since.
final class LatestNotifications<N: TypedNotification>: LatestKeeping, @unchecked Sendable {  // `state` is locked
    /// The latest notification of one sender.
    final class Slot: @unchecked Sendable {  // what changes does so under the lock
        /// The sender, held weakly if it is an object; `nil` for those that can be compared with no other.
        let sender: SenderFilter<N.Sender>?
        let tag: Int?
        fileprivate var kept: Kept
        fileprivate var isRemoved = false

        fileprivate init(_ sender: SenderFilter<N.Sender>?, _ tag: Int?, _ kept: Kept) {
            self.sender = sender
            self.tag = tag
            self.kept = kept
        }

        var isAlive: Bool { sender?.isSenderAlive != false }
    }

    /// A notification that is kept.
    struct Kept: Sendable {
        let post: KeptPost
        let content: Content
    }

    /// The content of a notification, as it is kept.
    struct Content: @unchecked Sendable {  // a type that is replayed is `Sendable`, and so is its sender
        /// Makes the notification again, of its sender, if that is an object.
        let makeNotification: (AnyObject?) -> N
    }

    /// What was in a slot at one moment.
    fileprivate struct Found: Sendable {
        let slot: Slot
        let kept: Kept

        /// Under the lock.
        init(_ slot: Slot) {
            self.slot = slot
            kept = slot.kept
        }
    }

    /// The latest notification for an observer, at one moment.
    struct Snapshot: Sendable {
        /// How many posts there were.
        let boundary: UInt64
        /// Where the latest is; `nil` if there is none.
        fileprivate let latest: Found?
        /// Whether the latest of another sender will do, if this one is gone.
        fileprivate let isOfEveryone: Bool
    }

    fileprivate struct State: Sendable {
        var count: UInt64 = 0
        /// The slots by the address, or by the hash, of their senders.
        var slots: [Int: [Slot]] = [:]
        /// The slot of senders that can be compared with no other.
        var others: Slot?
        /// Those whose sender is an object, and where the next look for dead ones begins.
        var mortals: [Slot] = []
        var next = 0
        var newest: Slot?
        /// How often a slot was added or removed, so that a step sees whether what was found before it still stands.
        var changes = 0
        var isOpen = true
    }

    private let keeping = NotificationReplay.keeping(of: N.self)
    private let state = Lock(State())

    // MARK: - Posts

    /// Keeps a notification that is about to be posted.
    ///
    /// - Returns: Its post.
    func keep(_ notification: N) -> KeptPost {
        releaseDead(atMost: 8)
        let sender = notification.sender
        let content = content(of: notification, sender)
        let tag = N.tag(of: sender)
        while true {
            let (candidates, changes) = state.withLock { state in
                (tag.map { state.slots[$0] ?? [] } ?? [], state.changes)
            }
            let found = candidates.first { $0.sender?.accepts(sender) == true }
            let new = found == nil && tag != nil ? SenderFilter(unchecked: sender, N.senderComparison) : nil
            // The notification that is replaced is released when the lock is free.
            let step = state.withLock { state in state.keep(content, in: found, or: new, tag, unless: changes) }
            if let post = step.post { return post }
        }
    }

    /// What makes a notification again.
    private func content(of notification: N, _ sender: N.Sender) -> Content {
        guard case .withoutSender(let keeper) = keeping else { return Content { _ in notification } }
        let make = keeper.keep(notification)
        if N.object(of: sender) == nil { return Content { _ in make(sender) } }
        return Content { object in
            guard let sender = object as? N.Sender else { preconditionFailure("the sender was of this type") }
            return make(sender)
        }
    }

    /// Removes slots whose sender is dead, of so many that are looked at.
    private func releaseDead(atMost count: Int) {
        let some = state.withLock { $0.someMortals(count) }
        let dead = some.filter { !$0.isAlive }
        if !dead.isEmpty { remove(dead) }
    }

    private func remove(_ dead: [Slot]) {
        // The notifications are released with `dead`, after the lock.
        state.withLock { state in for slot in dead { state.remove(slot) } }
    }

    func close() {
        let released = state.withLock { state in
            let released = Array(state.slots.values.joined()) + [state.others].compactMap { $0 }
            state = State(count: state.count, isOpen: false)
            return released
        }
        withExtendedLifetime(released) {}
    }

    // MARK: - Registrations

    /// Looks up the latest notification for an observer, and how many posts there were at that moment.
    func snapshot(for filter: SenderFilter<N.Sender>) -> Snapshot {
        // Only the main actor may look at its senders.
        if !(N.self is any BelongsToMainActor.Type) { releaseDead(atMost: 32) }
        guard filter.isLimited else {
            return state.withLock { state in
                Snapshot(boundary: state.count, latest: state.newest.map { Found($0) }, isOfEveryone: true)
            }
        }
        let tag = filter.tag
        let sender = filter.sender
        while true {
            let (candidates, changes) = state.withLock { state in
                (tag.map { state.slots[$0] ?? [] } ?? [], state.changes)
            }
            let found = sender.flatMap { sender in candidates.first { $0.sender?.accepts(sender) == true } }
            let snapshot = state.withLock { state -> Snapshot? in
                if state.changes != changes { return nil }
                return Snapshot(
                    boundary: state.count, latest: found.map { Found($0) }, isOfEveryone: false)
            }
            if let snapshot { return snapshot }
        }
    }

    /// The latest notification of a snapshot; `nil` if there was none, or its sender is gone.
    func latest(of snapshot: Snapshot) -> HandedOver? {
        var latest = snapshot.latest
        while let found = latest {
            let object = found.slot.sender?.object
            if object != nil || found.slot.isAlive {
                let notification = found.kept.content.makeNotification(object)
                return HandedOverOf(notification, of: found.kept.post, isLatest: true, sender: object)
            }
            remove([found.slot])
            if !snapshot.isOfEveryone { return nil }
            latest = state.withLock { $0.newest(upTo: snapshot.boundary).map { Found($0) } }
        }
        return nil
    }
}

extension LatestNotifications.State {
    /// Keeps a notification in the slot of its sender.
    ///
    /// - Returns: The post, `nil` if the slots have changed meanwhile; and what was replaced.
    mutating func keep(
        _ content: LatestNotifications<N>.Content, in found: LatestNotifications<N>.Slot?,
        or new: SenderFilter<N.Sender>?,
        _ tag: Int?, unless changes: Int
    ) -> (post: KeptPost?, replaced: LatestNotifications<N>.Kept?) {
        if self.changes != changes { return (nil, nil) }
        count += 1
        let kept = LatestNotifications<N>.Kept(post: KeptPost(number: count), content: content)
        if !isOpen { return (kept.post, nil) }
        if let slot = found ?? (tag == nil ? others : nil) {
            let replaced = slot.kept
            slot.kept = kept
            newest = slot
            return (kept.post, replaced)
        }
        let slot = LatestNotifications<N>.Slot(new, tag, kept)
        newest = slot
        if let tag {
            slots[tag, default: []].append(slot)
            if new?.isObject == true { mortals.append(slot) }
            self.changes += 1
        } else {
            others = slot
        }
        return (kept.post, nil)
    }

    /// Some of the slots whose sender is an object, others each time.
    mutating func someMortals(_ limit: Int) -> [LatestNotifications<N>.Slot] {
        if mortals.count <= limit { return mortals }
        let some = (0..<limit).map { mortals[(next + $0) % mortals.count] }
        next = (next + limit) % mortals.count
        return some
    }

    mutating func remove(_ slot: LatestNotifications<N>.Slot) {
        if slot.isRemoved { return }
        slot.isRemoved = true
        changes += 1
        if let tag = slot.tag {
            slots[tag]?.removeAll { $0 === slot }
            if slots[tag]?.isEmpty == true { slots[tag] = nil }
        }
        mortals.removeAll { $0 === slot }
        if newest === slot { newest = newest(upTo: .max) }
    }

    /// The slot with the latest notification up to a number.
    func newest(upTo boundary: UInt64) -> LatestNotifications<N>.Slot? {
        let all = slots.values.joined() + [others].compactMap { $0 }
        return all.filter { $0.kept.post.number <= boundary }.max { $0.kept.post.number < $1.kept.post.number }
    }
}
