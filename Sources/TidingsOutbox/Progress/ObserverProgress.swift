/// The progress of a durable observer. If a row fails, the row is held for a retry, later rows with the same key wait
/// behind it, and the cursor moves on. In strict order, the cursor stays at the failed row while that row is held.
struct ObserverProgress {
    private let delays: RetryPolicy
    private let isStrict: Bool
    /// The number of held rows at which the observer receives no new rows.
    private let limit: Int
    private(set) var cursor: Int64
    /// The held rows, whose `due` is in milliseconds of the caller's clock.
    private var held = HeldRows()
    /// The rows after the saved cursor that were held when this process took over the observer. They aren't held again.
    private var heldAhead: Set<Int64>
    /// The held rows that the store had at the last check. If the store no longer has one of them, the row was dropped.
    private var stored: Set<Int64>
    /// The rows whose failed attempt doesn't count, because the store was failing. These rows are delivered again.
    private(set) var uncounted: Set<Int64> = []
    private(set) var savedCursor: Int64
    private var changed: [Int64: OutboxHeldRow] = [:]
    private var released: Set<Int64> = []
    /// Whether a row was handled, held or released since the last save. False if rows were only skipped.
    private(set) var isWorthSaving = false
    private(set) var unsavedCount = 0

    init(_ saved: OutboxProgress, delays: RetryPolicy, isStrict: Bool, limit: Int, wall: Int64, now: Int64) {
        self.delays = delays
        self.isStrict = isStrict
        self.limit = limit
        cursor = saved.cursor
        savedCursor = saved.cursor
        stored = Set(saved.held.lazy.map(\.position))
        heldAhead = stored.filter { $0 > saved.cursor }
        for row in saved.held.sorted(by: { $0.position < $1.position }) {
            held.insert(onMonotonicClock(row, wall, now))
        }
    }

    /// Converts the time at which a row is due from the wall clock to the caller's clock. A row doesn't wait longer
    /// than its delay, even if the wall clock has jumped.
    private func onMonotonicClock(_ row: OutboxHeldRow, _ wall: Int64, _ now: Int64) -> OutboxHeldRow {
        var row = row
        let longest = delays.delay(after: row.attempts)?.milliseconds ?? 0
        row.due = row.due == 0 ? 0 : now + max(0, min(row.due - wall, longest))
        return row
    }

    var heldCount: Int { held.count }

    var mayTakeNew: Bool { isStrict ? heldCount == 0 : heldCount < limit }

    var hasChanged: Bool { cursor != savedCursor || !changed.isEmpty || !released.isEmpty }

    mutating func oldestHeld() -> Int64? { held.oldest() }

    mutating func holds(upTo position: Int64) -> Bool { held.oldest().map { $0 <= position } ?? false }

    func canTake(_ position: Int64, key: String) -> Bool { !held.holds(key: key) && !heldAhead.contains(position) }

    /// Returns whether to handle the row now. If not, the cursor has passed the row, or the row is held.
    mutating func take(_ position: Int64, key: String) -> Bool {
        if position <= cursor { return false }
        if heldAhead.remove(position) == nil {
            guard held.holds(key: key) else { return true }
            let row = OutboxHeldRow(key: key, position: position)
            held.insert(row)
            changed[position] = row
        }
        cursor = position
        isWorthSaving = true
        return false
    }

    mutating func succeed(_ position: Int64) {
        isWorthSaving = true
        unsavedCount += 1
        guard release(position) else { return cursor = max(cursor, position) }
    }

    mutating func pass(to position: Int64) { cursor = max(cursor, position) }

    mutating func miss(_ position: Int64) { if release(position) { isWorthSaving = true } }

    private mutating func release(_ position: Int64) -> Bool {
        uncounted.remove(position)
        guard held.remove(position) else { return false }
        changed[position] = nil
        stored.remove(position)
        released.insert(position)
        return true
    }

    func isStored(_ position: Int64) -> Bool { stored.contains(position) }

    /// Whether an earlier attempt has failed. Redelivering a dead letter resets `attempts`, and keeps the error.
    func hasFailed(_ position: Int64) -> Bool {
        uncounted.contains(position) || held[position].map { $0.attempts > 0 || $0.error != nil } ?? false
    }

    mutating func failUncounted(_ position: Int64) { uncounted.insert(position) }

    private mutating func drop(_ position: Int64) {
        _ = held.remove(position)
        uncounted.remove(position)
        changed[position] = nil
        stored.remove(position)
    }

    func isLastAttempt(_ position: Int64) -> Bool {
        delays.delay(after: (held[position]?.attempts ?? 0) + 1) == nil
    }

    struct Burial {
        fileprivate let row: OutboxHeldRow?
        fileprivate let change: OutboxHeldRow?
        fileprivate let position, cursor: Int64
    }

    mutating func fail(_ position: Int64, key: String, error: String, now: Int64) -> Duration {
        let known = held[position]
        var row = known ?? OutboxHeldRow(key: key, position: position)
        row.attempts += 1
        row.error = error
        let delay = delays.delay(after: row.attempts) ?? .zero
        row.due = now + delay.milliseconds
        noteFailure(row)
        if known == nil { held.insert(row) } else { held.replace(row) }
        return delay
    }

    @discardableResult
    mutating func bury(_ position: Int64, key: String, error: String) -> Burial {
        let burial = Burial(row: held[position], change: changed[position], position: position, cursor: cursor)
        var row = burial.row ?? OutboxHeldRow(key: key, position: position)
        row.attempts += 1
        row.error = error
        row.due = 0
        row.isDeadLetter = true
        _ = held.remove(position)
        noteFailure(row)
        return burial
    }

    private mutating func noteFailure(_ row: OutboxHeldRow) {
        isWorthSaving = true
        unsavedCount += 1
        cursor = max(cursor, row.position)
        changed[row.position] = row
        uncounted.remove(row.position)
    }

    mutating func undo(_ burial: Burial) {
        if let row = burial.row { held.insert(row) }
        changed[burial.position] = burial.change
        cursor = burial.cursor
        unsavedCount -= 1
        failUncounted(burial.position)
    }

    mutating func due(at now: Int64, atMost count: Int) -> [OutboxHeldRow] { held.due(at: now, atMost: count) }

    mutating func nextDue(at now: Int64) -> Int64? { held.nextDue(at: now) }

    /// Adopts the changes that were made in the store. `rows` are all held rows in the store. `wall` is in
    /// milliseconds since 1970, and `now` is in milliseconds of the caller's clock.
    mutating func merge(_ rows: [OutboxHeldRow], wall: Int64, now: Int64) {
        for position in stored.subtracting(rows.lazy.map(\.position)) { drop(position) }
        for row in rows where !held.contains(row.position) && !released.contains(row.position) && !row.isDeadLetter {
            if changed[row.position]?.isDeadLetter == true { continue }
            held.insert(onMonotonicClock(row, wall, now))
            stored.insert(row.position)
        }
    }

    /// Returns the unsaved changes. `wall` is in milliseconds since 1970, and `now` is in milliseconds of the caller's
    /// clock.
    func change(wall: Int64, now: Int64) -> OutboxProgressChange {
        var change = OutboxProgressChange(cursor: cursor, released: released.sorted())
        for var row in changed.values.sorted(by: { $0.position < $1.position }) {
            if row.due != 0 { row.due = max(1, wall + row.due - now) }
            if isStored(row.position) { change.updated.append(row) } else { change.held.append(row) }
        }
        return change
    }

    mutating func noteSaved(dropped: Set<Int64> = []) {
        for row in changed.values {
            if row.isDeadLetter { stored.remove(row.position) } else { stored.insert(row.position) }
        }
        for position in dropped { drop(position) }
        changed = [:]
        released = []
        savedCursor = cursor
        isWorthSaving = false
        unsavedCount = 0
    }
}
