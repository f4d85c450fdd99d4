// How a poster waits for room in the queue of an observer that asks for back pressure. Room is taken before the post, and given back after
// it, when what was posted waits in the queue itself: so of several posters no two take the same room.

/// Those who wait for room in a queue, in the order in which they came.
@usableFromInline
struct RoomLine: Sendable {
    private let limit: Int
    private var waiting: [Int: @Sendable () -> Void] = [:]
    private var order = TwoStackQueue<Int>()
    private var lastNumber = 0

    /// How much room was taken by those who are about to post.
    private var taken = 0

    @usableFromInline
    init(limit: Int) { self.limit = max(1, limit) }

    /// Takes room, unless there is none or others wait for it.
    ///
    /// - Parameter count: How many elements are in the queue.
    /// - Returns: Whether there was.
    mutating func take(besides count: Int) -> Bool {
        guard waiting.isEmpty, count + taken < limit else { return false }
        taken += 1
        return true
    }

    /// Has a closure called when room was taken for it.
    ///
    /// - Returns: The number of the wait.
    mutating func wait(_ admit: @escaping @Sendable () -> Void) -> Int {
        lastNumber += 1
        waiting[lastNumber] = admit
        order.append(lastNumber)
        return lastNumber
    }

    /// Ends a wait.
    ///
    /// - Returns: The closure; `nil` if room was taken for it.
    mutating func end(_ number: Int) -> (@Sendable () -> Void)? { waiting.removeValue(forKey: number) }

    mutating func giveBack() { taken -= 1 }

    /// Takes room for those who wait, as far as there is any.
    ///
    /// - Parameter count: How many elements are in the queue; `nil` if it takes none any more, so that nobody need wait.
    /// - Returns: The closures to call.
    mutating func admit(besides count: Int?) -> [@Sendable () -> Void] {
        var admitted: [@Sendable () -> Void] = []
        while !waiting.isEmpty, count.map({ $0 + taken < limit }) ?? true, let number = order.popFirst() {
            // Some have given up.
            guard let admit = waiting.removeValue(forKey: number) else { continue }
            taken += 1
            admitted.append(admit)
        }
        if waiting.isEmpty { order = TwoStackQueue() }
        return admitted
    }
}

extension MailboxState {
    /// Takes room for those who wait for it, as far as there is any.
    ///
    /// - Returns: What tells them, to be resumed.
    @usableFromInline
    mutating func admit() -> [Handling] {
        guard room != nil else { return [] }
        let count = phase == .open ? waitingCount : nil
        return room?.admit(besides: count).map { Handling(count: 0, resume: $0) } ?? []
    }
}

/// A queue in which a poster can wait for room.
@usableFromInline
package protocol RoomKeeper: AnyObject, Sendable {
    /// The observer, as receipts name it.
    var observer: DeliveryReceipt.Observer? { get }

    /// Takes room for one element.
    ///
    /// - Parameter admit: Called, once, when room was taken, if there is none now.
    /// - Returns: The number of the wait; `nil` if room was taken at once.
    func takeRoom(_ admit: @escaping @Sendable () -> Void) -> Int?

    /// Ends the wait for room.
    ///
    /// - Returns: Whether it goes without. If not, room was taken.
    func endWaiting(_ number: Int) -> Bool

    /// Gives back the room that was taken for an element.
    func giveRoomBack()
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
    package func takeRoom(_ admit: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            let count = state.waitingCount
            if state.phase != .open || state.room?.take(besides: count) != false { return nil }
            return state.room?.wait(admit)
        }
    }

    @usableFromInline
    package func endWaiting(_ number: Int) -> Bool {
        // The closure is released after the lock.
        let closure = state.withLock { $0.room?.end(number) }
        return closure != nil
    }

    @usableFromInline
    package func giveRoomBack() {
        resume(
            state.withLock { state in
                state.room?.giveBack()
                return state.admit()
            })
    }
}
