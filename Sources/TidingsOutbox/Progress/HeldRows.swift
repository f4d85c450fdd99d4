/// The rows that are retried, or wait behind a retried row. The rows with the same key form a queue, whose first row is
/// retried.
struct HeldRows {
    private var queues: [String: KeyQueue] = [:]
    private var keys: [Int64: String] = [:]
    /// The first row of each key, by the time of its retry. Outdated entries are skipped.
    private var waiting = MinHeap<Due>()
    /// The positions of the rows that are due. Outdated entries are skipped.
    private var ready = MinHeap<Int64>()
    private var positions = MinHeap<Int64>()

    private struct Due: Comparable {
        let time: Int64
        let position: Int64
        static func < (lhs: Due, rhs: Due) -> Bool { (lhs.time, lhs.position) < (rhs.time, rhs.position) }
    }

    var count: Int { keys.count }

    func contains(_ position: Int64) -> Bool { keys[position] != nil }

    func holds(key: String) -> Bool { queues[key] != nil }

    subscript(position: Int64) -> OutboxHeldRow? { keys[position].flatMap { queues[$0]?[position] } }

    mutating func insert(_ row: OutboxHeldRow) {
        let first = queues[row.key]?.first?.position
        queues[row.key, default: KeyQueue()].insert(row)
        keys[row.position] = row.key
        positions.push(row.position)
        if queues[row.key]?.first?.position != first { noteFirst(of: row.key) }
    }

    mutating func replace(_ row: OutboxHeldRow) {
        queues[row.key]?.replace(row)
        if queues[row.key]?.first?.position == row.position { noteFirst(of: row.key) }
    }

    mutating func remove(_ position: Int64) -> Bool {
        guard let key = keys.removeValue(forKey: position) else { return false }
        let wasFirst = queues[key]?.first?.position == position
        if queues[key]?.remove(position) == true {
            queues[key] = nil
        } else if wasFirst {
            noteFirst(of: key)
        }
        return true
    }

    private mutating func noteFirst(of key: String) {
        if let first = queues[key]?.first { waiting.push(Due(time: first.due, position: first.position)) }
    }

    private func first(_ position: Int64) -> OutboxHeldRow? {
        guard let key = keys[position], let first = queues[key]?.first, first.position == position else { return nil }
        return first
    }

    mutating func due(at now: Int64, atMost count: Int) -> [OutboxHeldRow] {
        while let next = waiting.min, next.time <= now {
            waiting.removeMin()
            if first(next.position)?.due == next.time { ready.push(next.position) }
        }
        var rows: [OutboxHeldRow] = []
        while rows.count < count, let position = ready.min {
            ready.removeMin()
            guard let row = first(position), row.due <= now, rows.last?.position != position else { continue }
            rows.append(row)
        }
        // The rows remain ready until the caller has handled them.
        for row in rows { ready.push(row.position) }
        return rows
    }

    mutating func nextDue(at now: Int64) -> Int64? {
        while let position = ready.min {
            if let row = first(position), row.due <= now { return row.due }
            ready.removeMin()
        }
        while let next = waiting.min {
            if first(next.position)?.due == next.time { return next.time }
            waiting.removeMin()
        }
        return nil
    }

    mutating func oldest() -> Int64? {
        while let position = positions.min, keys[position] == nil { positions.removeMin() }
        return positions.min
    }
}

private struct KeyQueue {
    private var rows: [OutboxHeldRow] = []
    private var head = 0

    var first: OutboxHeldRow? { head < rows.count ? rows[head] : nil }

    subscript(position: Int64) -> OutboxHeldRow? { index(of: position).map { rows[$0] } }

    private func place(of position: Int64) -> Int { rows[head...].partitioningIndex { $0.position >= position } }

    private func index(of position: Int64) -> Int? {
        let place = place(of: position)
        return place < rows.count && rows[place].position == position ? place : nil
    }

    mutating func insert(_ row: OutboxHeldRow) {
        let place = place(of: row.position)
        if place == head, head > 0 {
            head -= 1
            rows[head] = row
        } else {
            rows.insert(row, at: place)
        }
    }

    mutating func replace(_ row: OutboxHeldRow) { if let index = index(of: row.position) { rows[index] = row } }

    mutating func remove(_ position: Int64) -> Bool {
        switch index(of: position) {
        case head: head += 1
        case let index?: rows.remove(at: index)
        case nil: break
        }
        // Amortized, this moves each row at most once.
        if head > 64, head * 2 > rows.count {
            rows.removeFirst(head)
            head = 0
        }
        return head == rows.count
    }
}

private struct MinHeap<Element: Comparable> {
    private var elements: [Element] = []

    var min: Element? { elements.first }

    mutating func push(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeMin() {
        guard elements.count > 1 else { return elements.removeAll(keepingCapacity: false) }
        elements[0] = elements.removeLast()
        var parent = 0
        while 2 * parent + 1 < elements.count {
            var child = 2 * parent + 1
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            if elements[parent] <= elements[child] { return }
            elements.swapAt(parent, child)
            parent = child
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element that meets a condition, which all later elements must also meet.
    func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
