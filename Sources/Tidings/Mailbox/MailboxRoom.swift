// How a poster waits for room in the queue of an observer that asks for back pressure. Room is taken before the post, and given back after
// it, when what was posted waits in the queue itself: so of several posters no two take the same room.

/// Those who wait for room in a queue, in the order in which they came, and how much room was taken by those who are about to post.
@usableFromInline
struct RoomLine: Sendable {
    private let limit: Int
    /// Sorted by the number of the claim, from ``first`` on.
    private var claims: [RoomClaim] = []
    private var first = 0
    private var taken = 0

    @usableFromInline
    init(limit: Int) { self.limit = max(1, limit) }

    /// Whether there is room.
    ///
    /// - Parameter count: How many elements are in the queue; `nil` if it takes none any more, so that nobody need wait.
    /// - Returns: Whether there is.
    func hasRoom(besides count: Int?) -> Bool { count.map { $0 + taken < limit } ?? true }

    mutating func take() { taken += 1 }

    mutating func giveBack() { taken -= 1 }

    /// The claim that came first of those that wait.
    var next: RoomClaim? { first < claims.count ? claims[first] : nil }

    mutating func removeFirst() {
        first += 1
        if first * 2 > claims.count { (claims, first) = (Array(claims[first...]), 0) }
    }

    /// Has a claim wait behind those that came before it.
    mutating func insert(_ claim: RoomClaim) { claims.insert(claim, at: place(of: claim)) }

    /// Ends the wait of a claim that has given up.
    mutating func remove(_ claim: RoomClaim) {
        let place = place(of: claim)
        if place < claims.count, claims[place] === claim { claims.remove(at: place) }
    }

    /// The first place whose claim came no earlier.
    private func place(of claim: RoomClaim) -> Int {
        if claims.last.map({ $0.number < claim.number }) ?? true { return claims.count }
        var (low, high) = (first, claims.count)
        while low < high {
            let middle = (low + high) / 2
            if claims[middle].number < claim.number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension MailboxState {
    /// How many elements count against the limit of those who wait for room; `nil` if nobody need wait any more.
    private var countForRoom: Int? { phase == .open ? waitingCount : nil }

    /// Looks whether there is room for who waits first.
    ///
    /// - Returns: What has that one look for room in all its queues, to be resumed.
    @usableFromInline
    mutating func admit() -> [Handling] {
        guard let room, let claim = room.next, room.hasRoom(besides: countForRoom) else { return [] }
        return [Handling(count: 0) { claim.lookAgain() }]
    }

    /// Takes room for one element, unless there is none, or a claim waits for it that came before a number.
    mutating func takeRoom(for number: Int) -> Bool {
        guard let room else { return true }
        guard room.next.map({ $0.number > number }) ?? true, room.hasRoom(besides: countForRoom) else { return false }
        self.room?.take()
        return true
    }

    /// Takes room for who waits first, if there is any.
    ///
    /// - Returns: That one, who does not wait any longer.
    mutating func takeRoomForNext() -> RoomClaim? {
        guard let room, let next = room.next, room.hasRoom(besides: countForRoom) else { return nil }
        self.room?.removeFirst()
        self.room?.take()
        return next
    }
}

/// A queue in which a poster can wait for room.
@usableFromInline
package protocol RoomKeeper: AnyObject, Sendable {
    /// The observer, as receipts name it.
    var observer: DeliveryReceipt.Observer? { get }

    /// Gives back the room that was taken for an element, and lets go on who waits for it.
    func giveRoomBack()

    /// Takes room for one element, unless there is none, or a claim waits for it that came before a number.
    func takeRoom(for number: Int) -> Bool

    /// Takes room for the claim that waits first, if there is any, and ends its wait here.
    func takeRoomForNext() -> RoomClaim?

    /// Gives back room. It is for the caller to look who can go on.
    func putRoomBack()

    /// Has a claim wait behind those that came before it. There may be room since it was asked for: it is for the caller to look.
    func append(_ claim: RoomClaim)

    /// Ends the wait of a claim.
    func remove(_ claim: RoomClaim)
}

/// The queue of an observer, with those in which its elements wait.
package protocol RoomQueue {
    /// The queues in which a poster of an element waits for room; none unless the observer asks for back pressure, and wants the element.
    func roomKeepers(for element: Any) -> [any RoomKeeper]
}

extension Mailbox: RoomKeeper, RoomQueue {
    package func roomKeepers(for element: Any) -> [any RoomKeeper] {
        guard case .backPressure = policy, let element = element as? Element, condition?(element) != false else {
            return []
        }
        return [self]
    }

    @usableFromInline
    package func giveRoomBack() {
        resume(
            state.withLock { state in
                state.room?.giveBack()
                return state.admit()
            })
    }

    @usableFromInline
    package func takeRoom(for number: Int) -> Bool { state.withLock { $0.takeRoom(for: number) } }

    @usableFromInline
    package func takeRoomForNext() -> RoomClaim? { state.withLock { $0.takeRoomForNext() } }

    @usableFromInline
    package func putRoomBack() { state.withLock { $0.room?.giveBack() } }

    @usableFromInline
    package func append(_ claim: RoomClaim) { state.withLock { $0.room?.insert(claim) } }

    @usableFromInline
    package func remove(_ claim: RoomClaim) { state.withLock { $0.room?.remove(claim) } }
}
