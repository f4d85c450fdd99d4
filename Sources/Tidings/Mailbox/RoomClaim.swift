import TidingsEngine

/// A poster's claim to room in all the queues that it is about to fill.
///
/// A claim either has room in all of its queues, or waits in the line of one full queue and holds no room. So no claim
/// waits for room that a waiting claim holds. When a queue has room again, the first claim in its line takes the room
/// and checks the other queues of the claim. If one of those is full, the claim moves to the line of that queue, to the
/// position given by its number.
///
/// Invariant: a claim takes room in all queues, or moves to the next line, in a single step under ``order``. Otherwise
/// a later claim could find a queue full only because an earlier claim holds room for a moment, or could overtake an
/// earlier claim that is between two lines. No thread takes ``order`` while it holds the lock of a mailbox.
package final class RoomClaim: Sendable {
    private static let order = Lock(0)

    let number: Int
    private let keepers: [any RoomKeeper]
    private let whenAdmitted: @Sendable () -> Void

    /// The full queue in whose line the claim waits; `nil` if it isn't waiting.
    private let awaited = Lock<(any RoomKeeper)?>(nil)

    private init(_ number: Int, in keepers: [any RoomKeeper], whenAdmitted: @escaping @Sendable () -> Void) {
        self.number = number
        self.keepers = keepers
        self.whenAdmitted = whenAdmitted
    }

    /// Reserves room in all queues. If a queue is full or has a waiting claim, reserves none and returns `false`.
    static func takeAtOnce(in keepers: [any RoomKeeper]) -> Bool {
        if keepers.count < 2 { return keepers.first?.takeRoom(for: .max) ?? true }
        return step { last, pending in
            RoomClaim(.max, in: keepers) {}.takeRoom(&pending) == nil
        }
    }

    /// Creates a claim. Calls `whenAdmitted` when room is reserved in all queues, possibly before this method returns.
    static func make(in keepers: [any RoomKeeper], whenAdmitted: @escaping @Sendable () -> Void) -> RoomClaim {
        let (claim, isAdmitted) = step { last, pending in
            last += 1
            let claim = RoomClaim(last, in: keepers, whenAdmitted: whenAdmitted)
            return (claim, claim.settle(&pending))
        }
        if isAdmitted { whenAdmitted() }
        return claim
    }

    /// Withdraws the claim. Returns the queue in whose line the claim was; `nil` if the claim wasn't waiting.
    func giveUp() -> (any RoomKeeper)? {
        Self.step { _, pending in
            guard let keeper = awaited.withLock({ $0.take() }) else { return nil }
            keeper.remove(self)
            // The queue may already have room. After the withdrawal, this claim's `lookAgain` has no effect, so the
            // next claim has to be admitted here.
            pending.append(keeper)
            return keeper
        }
    }

    func lookAgain() {
        Self.step { _, pending in
            if let keeper = awaited.withLock({ $0 }) { pending.append(keeper) }
        }
    }
}

extension RoomClaim {
    /// Runs `change` under ``order``. Then admits claims to the queues that `change` has added to its second argument.
    private static func step<Result>(_ change: (inout Int, inout [any RoomKeeper]) -> Result) -> Result {
        var admitted: [RoomClaim] = []
        let result = order.withLock { last in
            var pending: [any RoomKeeper] = []
            let result = change(&last, &pending)
            while let keeper = pending.popLast() {
                while let claim = keeper.takeRoomForNext() {
                    if claim.settle(besides: keeper, &pending) { admitted.append(claim) }
                }
            }
            return result
        }
        for claim in admitted { claim.whenAdmitted() }
        return result
    }

    private func settle(besides taken: (any RoomKeeper)? = nil, _ pending: inout [any RoomKeeper]) -> Bool {
        let full = takeRoom(besides: taken, &pending)
        awaited.withLock { $0 = full }
        guard let full else { return true }
        full.append(self)
        // The queue may have got room before `append`, when this claim wasn't in the queue's line yet.
        pending.append(full)
        return false
    }

    /// Reserves room in all queues, or in none. In `first`, the claim already has room. If a queue is full, returns
    /// that queue, and adds to `pending` the queues whose room was given back.
    private func takeRoom(
        besides first: (any RoomKeeper)? = nil, _ pending: inout [any RoomKeeper]
    ) -> (any RoomKeeper)? {
        var taken = first.map { [$0] } ?? []
        for keeper in keepers where keeper !== first {
            if keeper.takeRoom(for: number) {
                taken.append(keeper)
                continue
            }
            for keeper in taken { keeper.putRoomBack() }
            pending += taken
            return keeper
        }
        return nil
    }
}
