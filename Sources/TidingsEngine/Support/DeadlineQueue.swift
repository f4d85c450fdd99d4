package struct DeadlineID: Sendable {
    let slot: Int
    let number: Int
}

/// Closures, ordered by the instant at which they are due: a binary heap from which any element can be removed.
struct DeadlineQueue: Sendable {
    private struct Slot: Sendable {
        /// The number of the slot's current or last closure. No two closures have the same number.
        var number = 0
        var place = 0
        var whenOver: (@Sendable () -> Void)?
    }

    private var heap: [(instant: Duration, slot: Int)] = []
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var lastNumber = 0

    var count: Int { heap.count }
    var isEmpty: Bool { heap.isEmpty }

    var first: Duration? { heap.first?.instant }

    mutating func insert(_ instant: Duration, _ whenOver: @escaping @Sendable () -> Void) -> DeadlineID {
        lastNumber += 1
        if free.isEmpty {
            free.append(slots.count)
            slots.append(Slot())
        }
        let slot = free.removeLast()
        slots[slot] = Slot(number: lastNumber, place: heap.count, whenOver: whenOver)
        heap.append((instant, slot))
        rise(from: heap.count - 1)
        return DeadlineID(slot: slot, number: lastNumber)
    }

    mutating func removeFirst() -> (@Sendable () -> Void)? { remove(at: 0) }

    mutating func remove(_ id: DeadlineID) -> (@Sendable () -> Void)? {
        guard slots.indices.contains(id.slot), slots[id.slot].number == id.number, slots[id.slot].whenOver != nil
        else { return nil }
        return remove(at: slots[id.slot].place)
    }

    private mutating func remove(at place: Int) -> (@Sendable () -> Void)? {
        let slot = heap[place].slot
        let last = heap.removeLast()
        if place < heap.count {
            heap[place] = last
            slots[last.slot].place = place
            rise(from: place)
            sink(from: slots[last.slot].place)
        }
        let whenOver = slots[slot].whenOver.take()
        free.append(slot)
        // Releases memory that many simultaneous waits needed.
        if heap.isEmpty, slots.count > 64 { (slots, free) = ([], []) }
        return whenOver
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            if heap[parent].instant <= heap[place].instant { return }
            exchange(place, parent)
            place = parent
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            let left = 2 * place + 1
            for child in left..<max(left, min(left + 2, heap.count)) where heap[child].instant < heap[least].instant {
                least = child
            }
            if least == place { return }
            exchange(place, least)
            place = least
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        slots[heap[one].slot].place = one
        slots[heap[other].slot].place = other
    }
}
