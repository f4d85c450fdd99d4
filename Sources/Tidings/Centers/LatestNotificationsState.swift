import TidingsEngine

// What ``LatestNotifications`` has under its lock, and the steps of it.

extension LatestNotifications {
    /// The latest post from one sender.
    final class Slot: @unchecked Sendable {  // what changes does so under the lock
        /// The sender, if it is an object, held weakly.
        let object: SenderObject?

        /// The limit of a ``SenderFilter``, if the sender is another one; `nil` in the slot of those that can be compared with
        /// no other.
        let limit: AnyObject?
        let tag: Int?
        var kept: KeptPost?
        var isRemoved = false

        init() { (object, limit, tag) = (nil, nil, nil) }

        init<Sender>(_ sender: SenderFilter<Sender>) {
            (object, limit, tag) = (sender.senderObject, sender.limit, sender.tag)
        }

        var isAlive: Bool { object?.isAlive != false }

        /// Whether a sender that is no object is the one of the slot. This runs a user's `==`.
        ///
        /// - Parameter sender: The sender, of the type with which the slot was made.
        /// - Returns: Whether it is.
        func isSlot<Sender>(of sender: Sender) -> Bool {
            guard object == nil, let limit else { return false }
            // All senders of one store are of one type. Checked in debug builds.
            return SenderFilter(unsafe unsafeDowncast(limit, to: SenderFilter<Sender>.Limit.self)).accepts(sender)
        }
    }

    /// What was in a slot at one moment.
    struct Found: Sendable {
        let slot: Slot
        let post: KeptPost

        /// Under the lock.
        init?(_ slot: Slot?) {
            guard let slot, let post = slot.kept else { return nil }
            (self.slot, self.post) = (slot, post)
        }
    }

    /// The latest notification for an observer, at one moment.
    struct Snapshot: Sendable {
        /// How many posts there were.
        let boundary: UInt64
        /// Where the latest is; `nil` if there is none.
        let latest: Found?
        /// Whether the latest of another sender will do, if this one is gone.
        let isOfEveryone: Bool
    }

    /// What a post leaves to do when the lock is free.
    struct Rest: Sendable {
        /// The post that was replaced, to be released.
        var replaced: KeptPost?
        /// Slots of which some may have lost their senders.
        var looked: [Slot] = []
    }

    struct State: Sendable {
        var count: UInt64 = 0
        /// The slots by the address, or by the hash, of their senders.
        var slots: [Int: [Slot]] = [:]
        /// The slot of senders that can be compared with no other.
        var others = Slot()
        /// Those whose sender is an object, and where the next look for dead ones begins.
        var mortals: [Slot] = []
        var next = 0
        var newest: Slot?
        /// How often a slot was added or removed, so that a step sees whether what was found before it still stands.
        var changes = 0
        var isOpen = true
    }
}

extension LatestNotifications.State {
    /// Numbers a post, and keeps it in a slot.
    mutating func keep(_ post: KeptPost, in slot: LatestNotifications.Slot) -> LatestNotifications.Rest {
        count += 1
        post.note(number: count)
        if !isOpen { return LatestNotifications.Rest() }
        let replaced = slot.kept
        slot.kept = post
        if newest !== slot { newest = slot }
        // The only object is the sender itself. If there are many, one in eight posts looks at more than eight can have added.
        if mortals.count == 1 && slot.object != nil || mortals.count > 8 && count % 8 != 0 {
            return LatestNotifications.Rest(replaced: replaced)
        }
        return LatestNotifications.Rest(replaced: replaced, looked: someMortals(16))
    }

    /// The slot of an object.
    func slot(ofObjectAt address: UInt) -> LatestNotifications.Slot? {
        // No code of a user runs, and nothing is retained but what the caller holds.
        slots[Int(bitPattern: address)]?.first { $0.object?.isAtItsAddress == true }
    }

    /// Adds a slot.
    mutating func add(_ slot: LatestNotifications.Slot) -> LatestNotifications.Slot {
        guard isOpen, let tag = slot.tag else { return slot }
        slots[tag, default: []].append(slot)
        if slot.object != nil { mortals.append(slot) }
        changes += 1
        return slot
    }

    /// Some of the slots whose sender is an object, others each time.
    mutating func someMortals(_ limit: Int) -> [LatestNotifications.Slot] {
        if mortals.count <= limit { return mortals }
        let some = (0..<limit).map { mortals[(next + $0) % mortals.count] }
        next = (next + limit) % mortals.count
        return some
    }

    mutating func remove(_ slot: LatestNotifications.Slot) {
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

    /// All slots.
    var all: [LatestNotifications.Slot] { Array(slots.values.joined()) + [others] }

    /// The slot with the latest notification up to a number.
    func newest(upTo boundary: UInt64) -> LatestNotifications.Slot? {
        func number(_ slot: LatestNotifications.Slot) -> UInt64 { slot.kept?.number ?? .max }
        return all.filter { $0.kept != nil && number($0) <= boundary }.max { number($0) < number($1) }
    }

    func snapshot(
        of slot: LatestNotifications.Slot?, isOfEveryone: Bool = false
    ) -> LatestNotifications.Snapshot {
        LatestNotifications.Snapshot(
            boundary: count, latest: LatestNotifications.Found(slot), isOfEveryone: isOfEveryone)
    }
}
