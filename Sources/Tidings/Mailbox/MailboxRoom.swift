// A poster reserves room in the queue of an observer with back pressure before the post. When the post has queued the
// element, the element itself takes up that room, so the reservation ends. So two posters never use the same room.

@usableFromInline
struct RoomLine: Sendable {
    private let limit: Int
    /// Sorted by number. The elements before the index ``first`` are `nil`. If admitted claims stayed here, they would
    /// keep other mailboxes alive, and release them under this mailbox's lock.
    private var claims: [RoomClaim?] = []
    private var first = 0
    private var taken = 0

    @usableFromInline
    init(limit: Int) { self.limit = max(1, limit) }

    /// Returns whether a queue of `count` elements has room. If the queue accepts no elements, `count` is `nil`, and
    /// the result is `true`.
    func hasRoom(besides count: Int?) -> Bool { count.map { $0 + taken < limit } ?? true }

    mutating func take() { taken += 1 }

    mutating func giveBack() { taken -= 1 }

    var next: RoomClaim? { first < claims.count ? claims[first] : nil }

    /// Removes the first claim. The caller releases it after the unlock.
    mutating func removeFirst() -> RoomClaim? {
        guard let claim = next else { return nil }
        claims[first] = nil
        first += 1
        if first * 2 > claims.count { (claims, first) = (Array(claims[first...]), 0) }
        return claim
    }

    mutating func insert(_ claim: RoomClaim) { claims.insert(claim, at: place(of: claim)) }

    mutating func remove(_ claim: RoomClaim) {
        let place = place(of: claim)
        if place < claims.count, claims[place] === claim { claims.remove(at: place) }
    }

    private func place(of claim: RoomClaim) -> Int {
        var (low, high) = (first, claims.count)
        while low < high {
            let middle = (low + high) / 2
            if let other = claims[middle], other.number < claim.number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension MailboxState {
    private var countForRoom: Int? { phase == .open ? waitingCount : nil }

    /// If there is room for the first waiting poster, returns a closure that makes the poster check all of its queues.
    @usableFromInline
    mutating func admit() -> [Handling] {
        guard let room, let claim = room.next, room.hasRoom(besides: countForRoom) else { return [] }
        return [Handling(count: 0) { claim.lookAgain() }]
    }

    mutating func takeRoom(for number: Int) -> Bool {
        guard let room else { return true }
        guard room.next.map({ $0.number > number }) ?? true, room.hasRoom(besides: countForRoom) else { return false }
        self.room?.take()
        return true
    }

    mutating func takeRoomForNext() -> RoomClaim? {
        // A copy of `room` in a variable would make `removeFirst` copy the array.
        guard room?.hasRoom(besides: countForRoom) == true, let next = room?.removeFirst() else { return nil }
        room?.take()
        return next
    }
}

package protocol RoomKeeper: AnyObject, Sendable {
    var observer: DeliveryReceipt.Observer? { get }

    /// Gives back the room that was reserved for an element, and resumes the first poster that waits for room.
    func giveRoomBack()

    /// Reserves room for one element. Returns `false` if there is no room, or if a claim with a lower number waits.
    func takeRoom(for number: Int) -> Bool

    /// Reserves room for the first waiting claim, and removes the claim from this queue's line. Returns `nil` if there
    /// is no room, or if no claim waits.
    func takeRoomForNext() -> RoomClaim?

    /// Like ``giveRoomBack()``, but resumes no poster.
    func putRoomBack()

    func append(_ claim: RoomClaim)

    func remove(_ claim: RoomClaim)
}

package protocol RoomQueue {
    /// Returns the queues in which room has to be reserved for an element. The array is empty if the queue has no back
    /// pressure, or if the observer's condition rejects the element.
    func roomKeepers(for element: Any) -> [any RoomKeeper]
}

extension Mailbox: RoomKeeper, RoomQueue {
    package func roomKeepers(for element: Any) -> [any RoomKeeper] {
        guard case .backPressure = policy, let element = element as? Element else { return [] }
        // The condition is called without the lock.
        if let condition = state.withLock({ $0.condition }), !condition(element) { return [] }
        return [self]
    }

    package func giveRoomBack() {
        resume(
            state.withLock { state in
                state.room?.giveBack()
                return state.admit()
            })
    }

    package func takeRoom(for number: Int) -> Bool { state.withLock { $0.takeRoom(for: number) } }
    package func takeRoomForNext() -> RoomClaim? { state.withLock { $0.takeRoomForNext() } }
    package func putRoomBack() { state.withLock { $0.room?.giveBack() } }
    package func append(_ claim: RoomClaim) { state.withLock { $0.room?.insert(claim) } }
    package func remove(_ claim: RoomClaim) { state.withLock { $0.room?.remove(claim) } }
}
