import TidingsEngine

// What ``LatestNotifications`` has under its lock, and the steps of it. None takes longer the more senders there are.

extension LatestNotifications {
    /// The latest post from one sender.
    final class Slot: @unchecked Sendable {  // what changes does so under the lock
        /// The sender, if it is an object, held weakly.
        let object: SenderObject?

        /// The limit of a ``SenderFilter``, if the sender is another one; `nil` in the slot of those that can be compared with
        /// no other.
        let limit: SenderLimit?
        let tag: Int?
        var kept: KeptPost?

        /// Where the slot stands in the array of all; -1 if it has not been added, or was removed.
        var place = -1

        /// Where the slots stand whose latest posts came just before this one's, and just after it; -1 if there is none.
        var older = -1
        var newer = -1

        init() { (object, limit, tag) = (nil, nil, nil) }

        init<Sender>(_ sender: SenderFilter<Sender>) {
            (object, limit, tag) = (sender.senderObject, sender.limit, sender.tag)
        }

        var isAlive: Bool { object?.isAlive != false }

        /// Keeps a post, under the lock.
        ///
        /// - Returns: The one that was kept, to be released after the lock.
        func replace(by post: KeptPost) -> KeptPost? {
            let replaced = kept.take()
            kept = post
            return replaced
        }

        /// What is kept, if a later post may take its place.
        var replaceable: Unmanaged<KeptPost>? {
            guard let kept, !kept.isShared else { return nil }
            return unsafe .passUnretained(kept)
        }

        /// Whether a sender that is no object is the one of the slot. This runs a user's `==`.
        ///
        /// - Parameter sender: The sender, of the type with which the slot was made.
        /// - Returns: Whether it is. It is not if it does not equal itself.
        func isSlot<Sender>(of sender: Sender) -> Bool {
            guard object == nil, let limit else { return false }
            // All senders of one store are of one type.
            return SenderFilter<Sender>(limit).accepts(sender)
        }
    }

    /// The slots with one tag: one, as a rule.
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

        /// Those with other ones beside them; `nil` if there are none.
        init?(_ slots: [Slot]) {
            guard let first = slots.first else { return nil }
            self = slots.count == 1 ? .one(first) : .several(slots)
        }

        static func areSame(_ some: SlotsOfTag?, _ others: SlotsOfTag?) -> Bool {
            if case .one(let slot) = some, case .one(let other) = others { return slot === other }
            return (some?.all ?? []).elementsEqual(others?.all ?? [], by: ===)
        }
    }

    /// What was in a slot at one moment.
    struct Found: Sendable {
        let slot: Slot
        let post: KeptPost

        /// Under the lock.
        init?(_ slot: Slot?) {
            guard let slot, let post = slot.kept else { return nil }
            // A later post must not change what a registration hands over.
            post.isShared = true
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
        /// The number of the post; 0 if it was not kept, and is not made, as the center has finished.
        let number: UInt64
        /// The post that was replaced, to be released.
        var replaced: KeptPost?
        /// Slots of which some may have lost their senders.
        var looked: [Slot]?

        static var ofRefused: Rest { Rest(number: 0) }
    }

    struct State: Sendable {
        var count: UInt64 = 0
        /// The slots by the address, or by the hash, of their senders.
        var slots: [Int: SlotsOfTag] = [:]
        /// All slots in which there is something. The places of each other that they have link them in the order of their posts.
        var all: [Slot] = []
        var newest = -1
        /// Where the next look for dead senders begins, and whether the last one has found some.
        var next = 0
        var hasFoundDead = false
        /// Whether posts are kept; none is numbered after that.
        var isOpen = true
    }
}

extension LatestNotifications.State {
    /// Up to how many slots each post looks at all; of more, at how many one in four posts looks, and each as long as it finds some.
    private static var looks: Int { 8 }

    /// Numbers a post, and keeps it in a slot, which is added if it is new.
    mutating func keep(_ post: KeptPost, in slot: LatestNotifications.Slot) -> LatestNotifications.Rest {
        if !isOpen { return .ofRefused }
        count += 1
        post.note(number: count)
        return LatestNotifications.Rest(number: count, replaced: slot.replace(by: post), looked: makeNewest(slot))
    }

    /// Numbers a post, and keeps its notification in the place of the last one in a slot.
    mutating func keepInPlace(
        in slot: LatestNotifications.Slot, _ exchange: (KeptPost) -> Void
    ) -> LatestNotifications.Rest {
        guard isOpen, let kept = unsafe slot.replaceable else { return .ofRefused }
        count += 1
        // The slot keeps it.
        unsafe kept._withUnsafeGuaranteedRef { kept in
            kept.note(number: count)
            exchange(kept)
        }
        return LatestNotifications.Rest(number: count, looked: makeNewest(slot))
    }

    /// Makes a slot the newest one. It is added if it is new.
    ///
    /// - Returns: Slots of which some may have lost their senders.
    private mutating func makeNewest(_ slot: LatestNotifications.Slot) -> [LatestNotifications.Slot]? {
        if slot.place < 0 || slot.place != newest { moveToFront(slot) }
        // The only slot is the sender's own, and it is alive.
        let looks = all.count > 1 && (all.count <= Self.looks || count % 4 == 0 || hasFoundDead)
        return looks ? someSlots() : nil
    }

    @inline(never)
    private mutating func moveToFront(_ slot: LatestNotifications.Slot) {
        if slot.place < 0 { add(slot) } else { unlink(slot) }
        linkAsNewest(slot)
    }

    /// The slot of an object.
    func slot(ofObjectAt address: UInt) -> LatestNotifications.Slot? {
        // No code of a user runs, and nothing is retained but what the caller holds. Who posts has often posted last.
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

    /// Some of the slots, others each time.
    mutating func someSlots() -> [LatestNotifications.Slot] {
        hasFoundDead = false
        if all.count <= Self.looks { return all }
        let first = next < all.count ? next : 0
        next = min(first + Self.looks, all.count)
        return Array(all[first..<next])
    }

    /// Removes a slot whose sender is dead.
    mutating func remove(_ slot: LatestNotifications.Slot) {
        if slot.place < 0 { return }
        hasFoundDead = true
        unlink(slot)
        if let tag = slot.tag, let others = slots[tag] {
            slots[tag] = LatestNotifications.SlotsOfTag(others.all.filter { $0 !== slot })
        }
        // The last one takes its place.
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

    /// The slot with the latest notification, if there is any.
    var newestSlot: LatestNotifications.Slot? { newest < 0 ? nil : all[newest] }

    /// What was posted last before what a slot holds, of what was posted up to a number.
    ///
    /// - Parameters:
    ///   - slot: The slot. If it was removed meanwhile, those are gone through that were posted after the number.
    ///   - boundary: The number.
    /// - Returns: It.
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
