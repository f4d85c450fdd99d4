import TidingsEngine

extension LatestNotifications {
    final class Slot: @unchecked Sendable {  // mutable properties are protected by the lock
        let object: SenderObject?

        /// `nil` in the slot of senders that can't be compared.
        let limit: SenderLimit?
        let tag: Int?
        var kept: KeptPost?

        /// The index in `all`; -1 if the slot isn't in it.
        var place = -1

        /// The indexes of the slots with the next older and the next newer post; -1 if there is none.
        var older = -1
        var newer = -1

        init() { (object, limit, tag) = (nil, nil, nil) }

        init<Sender>(_ sender: SenderFilter<Sender>) {
            (object, limit, tag) = (sender.senderObject, sender.limit, sender.tag)
        }

        var isAlive: Bool { object?.isAlive != false }

        /// Stores a post. Returns the previous post, which the caller has to release after the unlock.
        func replace(by post: KeptPost) -> KeptPost? {
            let replaced = kept.take()
            kept = post
            return replaced
        }

        var replaceable: Unmanaged<KeptPost>? {
            guard let kept, !kept.isShared else { return nil }
            return unsafe .passUnretained(kept)
        }

        /// Whether this is the slot of a value that equals `sender`. Runs the user's `==`, so no lock may be held.
        func isSlot<Sender>(of sender: Sender) -> Bool {
            guard object == nil, let limit else { return false }
            // All senders of a replayed type have the type `Sender`, with which the limit was created.
            return SenderFilter<Sender>(limit).accepts(sender)
        }
    }

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

    struct Found: Sendable {
        let slot: Slot
        let post: KeptPost

        init?(_ slot: Slot?) {
            guard let slot, let post = slot.kept else { return nil }
            // A later post mustn't change this notification, because a registration will pass it to its observer.
            post.isShared = true
            (self.slot, self.post) = (slot, post)
        }
    }

    struct Snapshot: Sendable {
        let boundary: UInt64
        let latest: Found?
        let isOfEveryone: Bool
    }

    struct Rest: Sendable {
        let number: UInt64
        var replaced: KeptPost?
        var looked: [Slot]?

        static var ofRefused: Rest { Rest(number: 0) }
    }

    struct State: ~Copyable, Sendable {
        var count: UInt64 = 0
        var slots: [Int: SlotsOfTag] = [:]
        /// All slots with content, linked in the order of their posts by `older` and `newer`.
        var all: [Slot] = []
        var newest = -1
        /// The index at which the next check for deallocated senders begins, and whether the last check found any.
        var next = 0
        var hasFoundDead = false
        var isOpen = true
    }
}

extension LatestNotifications.State {
    /// The number of slots that a check for deallocated senders visits.
    private static var looks: Int { 8 }

    mutating func keep(_ post: KeptPost, in slot: LatestNotifications.Slot) -> LatestNotifications.Rest {
        if !isOpen { return .ofRefused }
        count += 1
        post.note(number: count)
        return LatestNotifications.Rest(number: count, replaced: slot.replace(by: post), looked: makeNewest(slot))
    }

    mutating func keepInPlace(
        in slot: LatestNotifications.Slot, _ exchange: (KeptPost) -> Void
    ) -> LatestNotifications.Rest {
        guard isOpen, let kept = unsafe slot.replaceable else { return .ofRefused }
        count += 1
        // The slot keeps `kept` alive.
        unsafe kept._withUnsafeGuaranteedRef { kept in
            kept.note(number: count)
            exchange(kept)
        }
        return LatestNotifications.Rest(number: count, looked: makeNewest(slot))
    }

    /// Makes a slot the newest. Returns the slots to check for deallocated senders; `nil` if no check is due.
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
        // These checks run no user code, because they retain only an object that the caller holds. The newest slot is
        // checked first, because the same sender often posts repeatedly.
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
        let last = all.removeLast()
        if last !== slot {
            all[slot.place] = last
            last.place = slot.place
            if last.older >= 0 { all[last.older].newer = last.place }
            if last.newer >= 0 { all[last.newer].older = last.place } else { newest = last.place }
        }
        slot.place = -1
    }

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

    /// Returns the latest post that is older than the post in `slot` and has at most the number `boundary`.
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
