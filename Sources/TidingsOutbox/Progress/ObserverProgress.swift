/// How far a durable observer has come, and what to do next: a state machine without a store, a clock or a task.
///
/// A cursor goes through the rows. A row that fails is held, and everything of the same key that comes later waits behind it; the
/// cursor goes on. Where all rows have one key, the cursor waits.
struct ObserverProgress {
    private let delays: RetryPolicy
    /// Whether a held row holds up all others.
    private let isStrict: Bool
    /// How many rows may be held before the cursor waits.
    private let limit: Int

    /// The position up to which everything is handled or held.
    private(set) var cursor: Int64
    /// What is held; `due` is in milliseconds of the caller's clock.
    private var held = HeldRows()
    /// What was held already when the observer was taken, and lies behind the cursor: it is not held a second time.
    private var heldAhead: Set<Int64>

    /// The cursor that the store has.
    private(set) var savedCursor: Int64
    private var changed: [Int64: OutboxHeldRow] = [:]
    private var released: Set<Int64> = []
    /// Whether more has changed than that rows were passed over.
    private(set) var isWorthSaving = false
    /// How many rows were handled since progress was saved: as many come again after a crash.
    private(set) var unsavedCount = 0

    init(_ saved: OutboxProgress, delays: RetryPolicy, isStrict: Bool, limit: Int, wall: Int64, now: Int64) {
        self.delays = delays
        self.isStrict = isStrict
        self.limit = limit
        cursor = saved.cursor
        savedCursor = saved.cursor
        heldAhead = Set(saved.held.lazy.map(\.position).filter { $0 > saved.cursor })
        for row in saved.held.sorted(by: { $0.position < $1.position }) {
            held.insert(onMonotonicClock(row, wall, now))
        }
    }

    /// The clock on the wall may have jumped: nothing waits longer than its delay.
    private func onMonotonicClock(_ row: OutboxHeldRow, _ wall: Int64, _ now: Int64) -> OutboxHeldRow {
        var row = row
        let longest = delays.delay(after: row.attempts)?.milliseconds ?? 0
        row.due = row.due == 0 ? 0 : now + max(0, min(row.due - wall, longest))
        return row
    }

    var heldCount: Int { held.count }

    /// Whether rows behind the cursor may be taken.
    var mayTakeNew: Bool { isStrict ? heldCount == 0 : heldCount < limit }

    /// Whether anything is to be saved.
    var hasChanged: Bool { cursor != savedCursor || !changed.isEmpty || !released.isEmpty }

    /// The position of the oldest row that is held.
    mutating func oldestHeld() -> Int64? { held.oldest() }

    /// Whether a row is held that is not behind a position.
    mutating func holds(upTo position: Int64) -> Bool { held.oldest().map { $0 <= position } ?? false }

    /// Whether ``take(_:key:)`` would have a row handled now.
    func canTake(_ position: Int64, key: String) -> Bool { !held.holds(key: key) && !heldAhead.contains(position) }

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
        guard held.holds(key: key) else { return true }
        let row = OutboxHeldRow(key: key, position: position)
        held.insert(row)
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
        guard held.remove(position) else { return false }
        changed[position] = nil
        released.insert(position)
        return true
    }

    /// Whether the next failure with a row is its last: it is buried then.
    func isLastAttempt(_ position: Int64) -> Bool {
        delays.delay(after: (held[position]?.attempts ?? 0) + 1) == nil
    }

    /// What has to be known to undo the burial of a row that could not be saved.
    struct Burial {
        fileprivate let row: OutboxHeldRow?
        fileprivate let change: OutboxHeldRow?
        fileprivate let position, cursor: Int64
    }

    /// Notes that the observer failed with a row, and will get it again.
    ///
    /// - Parameters:
    ///   - position: The position of the row.
    ///   - key: Its key.
    ///   - error: Why.
    ///   - now: The time, in milliseconds.
    /// - Returns: How long to wait before it is tried again.
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

    /// Notes that the observer failed with a row, and will not get it again.
    ///
    /// - Parameters:
    ///   - position: The position of the row.
    ///   - key: Its key.
    ///   - error: Why.
    /// - Returns: What undoes it.
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
    }

    /// Takes back a burial that could not be saved.
    mutating func undo(_ burial: Burial) {
        if let row = burial.row { held.insert(row) }
        changed[burial.position] = burial.change
        cursor = burial.cursor
        unsavedCount -= 1
    }

    /// The first row of each key whose time has come, the oldest first.
    mutating func due(at now: Int64, atMost count: Int) -> [OutboxHeldRow] { held.due(at: now, atMost: count) }

    /// When the next row is tried again.
    mutating func nextDue(at now: Int64) -> Int64? { held.nextDue(at: now) }

    /// Takes over what a call has had sent again.
    mutating func merge(_ rows: [OutboxHeldRow], wall: Int64, now: Int64) {
        for row in rows where !held.contains(row.position) && !released.contains(row.position) && !row.isDeadLetter {
            if changed[row.position]?.isDeadLetter == true { continue }
            held.insert(onMonotonicClock(row, wall, now))
        }
    }

    /// What has changed and is to be saved, at a time on the wall and a time, in milliseconds.
    func change(wall: Int64, now: Int64) -> OutboxProgressChange {
        let rows = changed.values.map { row in
            var row = row
            if row.due != 0 { row.due = max(1, wall + row.due - now) }
            return row
        }
        return OutboxProgressChange(
            cursor: cursor, held: rows.sorted { $0.position < $1.position }, released: released.sorted())
    }

    /// Notes that what has changed is saved.
    mutating func noteSaved() {
        changed = [:]
        released = []
        savedCursor = cursor
        isWorthSaving = false
        unsavedCount = 0
    }
}
