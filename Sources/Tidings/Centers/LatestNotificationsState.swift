import TidingsEngine

// The state of ``LatestNotifications`` under its lock, and the operations on it. The time of each operation is
// independent of the number of senders.

extension LatestNotifications {
    /// The latest post from one sender.
    final class Slot: @unchecked Sendable {  // mutable properties are protected by the lock
        /// The sender, if it is an object, held weakly.
        let object: SenderObject?

        /// The limit of a ``SenderFilter``, if the sender isn't an object; `nil` in the slot of senders that can't be
        /// compared.
        let limit: SenderLimit?
        let tag: Int?
        var kept: KeptPost?

        /// The index of the slot in `all`; -1 if it hasn't been added or was removed.
        var place = -1

        /// The indexes of the slots whose latest posts came just before and just after this one's; -1 if there is none.
        var older = -1
        var newer = -1

        init() { (object, limit, tag) = (nil, nil, nil) }

        init<Sender>(_ sender: SenderFilter<Sender>) {
            (object, limit, tag) = (sender.senderObject, sender.limit, sender.tag)
        }

        var isAlive: Bool { object?.isAlive != false }

        /// Stores a post, under the lock, and returns the previous one, which has to be released after the unlock.
        func replace(by post: KeptPost) -> KeptPost? {
            let replaced = kept.take()
            kept = post
            return replaced
        }

        /// The stored post, if a later post can reuse its object.
        var replaceable: Unmanaged<KeptPost>? {
            guard let kept, !kept.isShared else { return nil }
            return unsafe .passUnretained(kept)
        }

        /// Returns whether a sender that isn't an object belongs to the slot: `false` if the sender doesn't equal
        /// itself. Runs the user's `==`.
        func isSlot<Sender>(of sender: Sender) -> Bool {
            guard object == nil, let limit else { return false }
            // All senders of one instance have the same type.
            return SenderFilter<Sender>(limit).accepts(sender)
        }
    }

    /// The slots with the same tag, usually one.
    enum SlotsOfTag: Sendable {
        case one(Slot)
        case several([Slot])

        var all: [Slot] {
            switch self {
            case .one(let slot): [slot]
            case .several(let slots): slots
            }
        }

        func first(where isIncluded: (Slot) -> Bool) -> Slot? {
            switch self {
            case .one(let slot): isIncluded(slot) ? slot : nil
            case .several(let slots): slots.first(where: isIncluded)
            }
        }

        init?(_ slots: [Slot]) {
            guard let first = slots.first else { return nil }
            self = slots.count == 1 ? .one(first) : .several(slots)
        }

        static func areSame(_ some: SlotsOfTag?, _ others: SlotsOfTag?) -> Bool {
            if case .one(let slot) = some, case .one(let other) = others { return slot === other }
            return (some?.all ?? []).elementsEqual(others?.all ?? [], by: ===)
        }
    }

    /// The content of a slot at one moment.
    struct Found: Sendable {
        let slot: Slot
        let post: KeptPost

        /// Reads a slot. Called under the lock.
        init?(_ slot: Slot?) {
            guard let slot, let post = slot.kept else { return nil }
            // A later post mustn't change what a registration hands over.
            post.isShared = true
            (self.slot, self.post) = (slot, post)
        }
    }

    /// The latest notification for an observer, at one moment.
    struct Snapshot: Sendable {
        let boundary: UInt64
        let latest: Found?
        /// Whether the latest notification of another sender is used instead if this sender has been deallocated.
        let isOfEveryone: Bool
    }

    /// The work that remains for a post after the unlock.
    struct Rest: Sendable {
        /// The number of the post; 0 if it wasn't stored and isn't made, because the center has finished.
        let number: UInt64
        /// The post that was replaced, to be released.
        var replaced: KeptPost?
        /// Slots whose senders may have been deallocated.
        var looked: [Slot]?

        static var ofRefused: Rest { Rest(number: 0) }
    }

    struct State: ~Copyable, Sendable {
        var count: UInt64 = 0
        /// The slots by the address or the hash of their senders.
        var slots: [Int: SlotsOfTag] = [:]
        /// All slots with content. Their `older` and `newer` indexes link them in the order of their posts.
        var all: [Slot] = []
        var newest = -1
        /// The index at which the next check for deallocated senders begins, and whether the last check has found any.
        var next = 0
        var hasFoundDead = false
        /// Whether posts are stored. Once it is `false`, no post is numbered.
        var isOpen = true
    }
}

extension LatestNotifications.State {
    /// The number of slots that a check visits. Up to this number, each post visits all slots. If there are more, one
    /// in four posts visits some of them, and every post does while dead senders are being found.
    private static var looks: Int { 8 }

    /// Numbers a post, and stores it in a slot, which is added if it is new.
    mutating func keep(_ post: KeptPost, in slot: LatestNotifications.Slot) -> LatestNotifications.Rest {
        if !isOpen { return .ofRefused }
        count += 1
        post.note(number: count)
        return LatestNotifications.Rest(number: count, replaced: slot.replace(by: post), looked: makeNewest(slot))
    }

    /// Numbers a post, and stores its notification in the object of the last post in a slot.
    mutating func keepInPlace(
        in slot: LatestNotifications.Slot, _ exchange: (KeptPost) -> Void
    ) -> LatestNotifications.Rest {
        guard isOpen, let kept = unsafe slot.replaceable else { return .ofRefused }
        count += 1
        // The slot keeps the object alive.
        unsafe kept._withUnsafeGuaranteedRef { kept in
            kept.note(number: count)
            exchange(kept)
        }
        return LatestNotifications.Rest(number: count, looked: makeNewest(slot))
    }

    /// Makes a slot the newest one, and adds it if it is new. Returns slots whose senders may have been deallocated.
    private mutating func makeNewest(_ slot: LatestNotifications.Slot) -> [LatestNotifications.Slot]? {
        if slot.place < 0 || slot.place != newest { moveToFront(slot) }
        // If there is a single slot, it belongs to the sender of this post, which is alive.
        let looks = all.count > 1 && (all.count <= Self.looks || count % 4 == 0 || hasFoundDead)
        return looks ? someSlots() : nil
    }

    @inline(never)
    private mutating func moveToFront(_ slot: LatestNotifications.Slot) {
        if slot.place < 0 { add(slot) } else { unlink(slot) }
        linkAsNewest(slot)
    }

    func slot(ofObjectAt address: UInt) -> LatestNotifications.Slot? {
        // No user code runs, and only an object that the caller holds is retained. The newest slot is checked first,
        // because the same sender often posts repeatedly.
        if newest >= 0 {
            let slot = all[newest]
            if slot.tag == Int(bitPattern: address), slot.object?.isAtItsAddress == true { return slot }
        }
        return slots[Int(bitPattern: address)]?.first { $0.object?.isAtItsAddress == true }
    }

    private mutating func add(_ slot: LatestNotifications.Slot) {
        slot.place = all.count
        all.append(slot)
        guard let tag = slot.tag else { return }
        slots[tag] = slots[tag].map { .several($0.all + [slot]) } ?? .one(slot)
    }

    mutating func someSlots() -> [LatestNotifications.Slot] {
        hasFoundDead = false
        if all.count <= Self.looks { return all }
        let first = next < all.count ? next : 0
        next = min(first + Self.looks, all.count)
        return Array(all[first..<next])
    }

    mutating func remove(_ slot: LatestNotifications.Slot) {
        if slot.place < 0 { return }
        hasFoundDead = true
        unlink(slot)
        if let tag = slot.tag, let others = slots[tag] {
            slots[tag] = LatestNotifications.SlotsOfTag(others.all.filter { $0 !== slot })
        }
        // The last slot moves to its index.
        let last = all.removeLast()
        if last !== slot {
            all[slot.place] = last
            last.place = slot.place
            if last.older >= 0 { all[last.older].newer = last.place }
            if last.newer >= 0 { all[last.newer].older = last.place } else { newest = last.place }
        }
        slot.place = -1
    }

    // MARK: - The order of posts

    private mutating func unlink(_ slot: LatestNotifications.Slot) {
        if slot.older >= 0 { all[slot.older].newer = slot.newer }
        if slot.newer >= 0 { all[slot.newer].older = slot.older } else { newest = slot.older }
        (slot.older, slot.newer) = (-1, -1)
    }

    private mutating func linkAsNewest(_ slot: LatestNotifications.Slot) {
        slot.older = newest
        if newest >= 0 { all[newest].newer = slot.place }
        newest = slot.place
    }

    var newestSlot: LatestNotifications.Slot? { newest < 0 ? nil : all[newest] }

    /// The latest content that is older than that of a given slot, among the posts up to a number. If the slot has been
    /// removed in the meantime, the search begins with the newest slot.
    func found(before slot: LatestNotifications.Slot, upTo boundary: UInt64) -> LatestNotifications.Found? {
        var place = slot.place < 0 ? newest : slot.older
        while place >= 0 {
            if let found = LatestNotifications.Found(all[place]), found.post.number <= boundary { return found }
            place = all[place].older
        }
        return nil
    }

    func snapshot(
        of slot: LatestNotifications.Slot?, isOfEveryone: Bool = false
    ) -> LatestNotifications.Snapshot {
        LatestNotifications.Snapshot(
            boundary: count, latest: LatestNotifications.Found(slot), isOfEveryone: isOfEveryone)
    }
}
