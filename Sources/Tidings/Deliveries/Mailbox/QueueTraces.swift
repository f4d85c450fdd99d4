/// What monitors know of the elements that wait in a mailbox: a slot for each, that its place in the queue names.
@usableFromInline
struct QueueTraces: Sendable {
    private var slots: [QueueTrace?] = []
    private var free: [Int] = []

    @usableFromInline init() {}

    mutating func insert(_ trace: QueueTrace) -> Int {
        if let slot = free.popLast() {
            slots[slot] = trace
            return slot
        }
        slots.append(trace)
        return slots.count - 1
    }

    mutating func remove(_ slot: Int) -> QueueTrace? {
        let trace = slots[slot].take()
        free.append(slot)
        if free.count == slots.count { self = QueueTraces() }
        return trace
    }
}
