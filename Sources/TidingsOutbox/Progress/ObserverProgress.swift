/// What is held of one key, in the order of positions. The first row is what is tried again, so it is what leaves.
private struct KeyQueue {
    private var rows: [HeldRow] = []
    private var head = 0

    var first: HeldRow? { head < rows.count ? rows[head] : nil }

    mutating func append(_ row: HeldRow) { rows.append(row) }

    mutating func sort() {
        rows.removeFirst(head)
        head = 0
        rows.sort { $0.position < $1.position }
    }

    private func index(of position: Int64) -> Int? {
        first?.position == position ? head : rows[head...].firstIndex { $0.position == position }
    }

    subscript(position: Int64) -> HeldRow? { index(of: position).map { rows[$0] } }

    mutating func replace(_ row: HeldRow) {
        if let index = index(of: row.position) { rows[index] = row }
    }

    /// - Returns: Whether nothing is left.
    mutating func remove(_ position: Int64) -> Bool {
        switch index(of: position) {
        case head: head += 1
        case let index?: rows.remove(at: index)
        case nil: break
        }
        // Moved seldom enough that each row is moved once on average.
        if head > 64, head * 2 > rows.count {
            rows.removeFirst(head)
            head = 0
        }
        return head == rows.count
    }
}

/// How far a durable observer has come, and what to do next: a state machine without a store, a clock or a task.
///
/// A cursor goes through the rows. A row that fails is held, and everything of the same key that comes later waits behind it; the
/// cursor goes on. Where all rows have one key, the cursor waits.
struct ObserverProgress {
    private let delays: RetryDelays
    /// Whether a held row holds up all others.
    private let isStrict: Bool
    /// How many rows may be held before the cursor waits.
    private let limit: Int

    /// The position up to which everything is handled or held.
    private(set) var cursor: Int64
    /// What is held, by key, in the order of positions; `due` is in milliseconds of the caller's clock.
    private var held: [String: KeyQueue] = [:]
    private(set) var heldCount = 0
    private var keys: [Int64: String] = [:]
    /// What was held already when the observer was taken, and lies behind the cursor: it is not held a second time.
    private var heldAhead: Set<Int64>

    /// The cursor that the store has.
    private(set) var savedCursor: Int64
    private var changed: [Int64: HeldRow] = [:]
    private var released: Set<Int64> = []
    /// Whether more has changed than that rows were passed over.
    private(set) var isWorthSaving = false
    /// How many rows were handled since progress was saved: as many come again after a crash.
    private(set) var unsavedCount = 0

    init(_ saved: SavedProgress, delays: RetryDelays, isStrict: Bool, limit: Int, wall: Int64, now: Int64) {
        self.delays = delays
        self.isStrict = isStrict
        self.limit = limit
        cursor = saved.cursor
        savedCursor = saved.cursor
        heldAhead = Set(saved.held.lazy.map(\.position).filter { $0 > saved.cursor })
        for row in saved.held.sorted(by: { $0.position < $1.position }) { hold(onMonotonicClock(row, wall, now)) }
    }

    /// The clock on the wall may have jumped: nothing waits longer than its delay.
    private func onMonotonicClock(_ row: HeldRow, _ wall: Int64, _ now: Int64) -> HeldRow {
        var row = row
        let longest = delays.delay(after: row.attempts)?.milliseconds ?? 0
        row.due = row.due == 0 ? 0 : now + max(0, min(row.due - wall, longest))
        return row
    }

    private mutating func hold(_ row: HeldRow) {
        held[row.key, default: KeyQueue()].append(row)
        keys[row.position] = row.key
        heldCount += 1
    }

    /// Whether rows behind the cursor may be taken.
    var mayTakeNew: Bool { isStrict ? heldCount == 0 : heldCount < limit }

    /// Whether anything is to be saved.
    var hasChanged: Bool { cursor != savedCursor || !changed.isEmpty || !released.isEmpty }

    /// The position of the oldest row that is held.
    var oldestHeld: Int64? { keys.keys.min() }

    /// Whether a row is held that is not behind a position.
    func holds(upTo position: Int64) -> Bool { keys.keys.contains { $0 <= position } }

    /// Whether ``take(_:key:)`` would have a row handled now.
    func canTake(_ position: Int64, key: String) -> Bool { held[key] == nil && !heldAhead.contains(position) }

    /// Takes the next row behind the cursor.
    ///
    /// - Returns: Whether to handle it now: if not, it waits behind a row of its key.
    mutating func take(_ position: Int64, key: String) -> Bool {
        if position <= cursor { return false }
        if heldAhead.remove(position) != nil {
            cursor = position
            isWorthSaving = true
            return false
        }
        guard held[key] != nil else { return true }
        let row = HeldRow(key: key, position: position)
        hold(row)
        changed[position] = row
        cursor = position
        isWorthSaving = true
        return false
    }

    /// Notes that a row was handled.
    mutating func succeed(_ position: Int64) {
        isWorthSaving = true
        unsavedCount += 1
        guard release(position) else { return cursor = max(cursor, position) }
    }

    /// Notes that no row up to a position concerns the observer.
    mutating func pass(to position: Int64) { cursor = max(cursor, position) }

    /// Notes that a held row is there no more.
    mutating func miss(_ position: Int64) { if release(position) { isWorthSaving = true } }

    private mutating func release(_ position: Int64) -> Bool {
        guard let key = keys.removeValue(forKey: position) else { return false }
        if held[key]?.remove(position) == true { held[key] = nil }
        heldCount -= 1
        changed[position] = nil
        released.insert(position)
        return true
    }

    /// Notes that the observer failed with a row.
    ///
    /// - Parameters:
    ///   - position: The position of the row.
    ///   - key: Its key.
    ///   - error: Why.
    ///   - isFinal: Whether it makes no sense to try again.
    ///   - now: The time, in milliseconds.
    /// - Returns: How long to wait before it is tried again; `nil` if it is buried.
    mutating func fail(_ position: Int64, key: String, error: String, isFinal: Bool, now: Int64) -> Duration? {
        isWorthSaving = true
        unsavedCount += 1
        let known = held[key]?[position]
        var row = known ?? HeldRow(key: key, position: position)
        row.attempts += 1
        row.error = error
        cursor = max(cursor, position)
        guard !isFinal, let delay = delays.delay(after: row.attempts) else {
            if known != nil { _ = release(position) }
            released.remove(position)
            row.due = 0
            row.isBuried = true
            changed[position] = row
            return nil
        }
        row.due = now + delay.milliseconds
        if known == nil {
            hold(row)
        } else {
            held[key]?.replace(row)
        }
        changed[position] = row
        return delay
    }

    /// The first row of each key whose time has come, the oldest first.
    func due(at now: Int64, atMost count: Int) -> [HeldRow] {
        Array(
            held.values.compactMap(\.first).filter { $0.due <= now }.sorted { $0.position < $1.position }.prefix(count))
    }

    /// When the next row is tried again.
    var nextDue: Int64? { held.values.compactMap(\.first?.due).min() }

    /// Takes over what a call has had sent again.
    mutating func merge(_ rows: [HeldRow], wall: Int64, now: Int64) {
        for row in rows where keys[row.position] == nil && !released.contains(row.position) && !row.isBuried {
            if changed[row.position]?.isBuried == true { continue }
            hold(onMonotonicClock(row, wall, now))
            held[row.key]?.sort()
        }
    }

    /// Takes what has changed, to be saved.
    mutating func takeChange(wall: Int64, now: Int64) -> ProgressChange {
        let rows = changed.values.map { row in
            var row = row
            if row.due != 0 { row.due = max(1, wall + row.due - now) }
            return row
        }
        let change = ProgressChange(
            cursor: cursor, held: rows.sorted { $0.position < $1.position }, released: released.sorted())
        changed = [:]
        released = []
        savedCursor = cursor
        isWorthSaving = false
        unsavedCount = 0
        return change
    }
}

extension Duration {
    /// The duration in whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
