/// The progress of a durable observer in the store.
public struct OutboxProgress: Hashable, Sendable {
    /// The position up to which all rows are handled or held.
    public var cursor: Int64

    /// The rows that are retried or wait behind a retried row. Dead letters aren't included.
    public var held: [OutboxHeldRow]

    /// Whether the last program that ran the observer may have handled some of the next rows without saving progress.
    public var wasInterrupted: Bool

    /// Whether rows that the observer hasn't received may have been removed, because the observer was abandoned.
    public var wasAbandoned: Bool

    /// The last position in the store when the observer was claimed.
    public var newest: Int64

    /// The number of partitions when the session began: a power of two, which is 1 for an undivided observer.
    public var partitions: Int

    /// Creates progress.
    public init(
        cursor: Int64, held: [OutboxHeldRow] = [], wasInterrupted: Bool = false, wasAbandoned: Bool = false,
        newest: Int64, partitions: Int = 1
    ) {
        self.cursor = cursor
        self.held = held
        self.wasInterrupted = wasInterrupted
        self.wasAbandoned = wasAbandoned
        self.newest = newest
        self.partitions = partitions
    }
}

/// A notification with which a durable observer has failed, or that waits behind such a notification with the same key.
public struct OutboxHeldRow: Hashable, Sendable {
    /// The key. Rows with the same key are kept in order.
    public var key: String

    /// The position of the row.
    public var position: Int64

    /// The number of times that the observer has failed with the notification.
    public var attempts: Int

    /// The time of the next attempt in milliseconds since 1970, or 0 if the row was redriven or waits behind another.
    public var due: Int64

    /// The error of the last failure.
    public var error: String?

    /// Whether the notification is retried only on request.
    public var isDeadLetter: Bool

    /// Creates a held row.
    public init(
        key: String, position: Int64, attempts: Int = 0, due: Int64 = 0, error: String? = nil,
        isDeadLetter: Bool = false
    ) {
        self.key = key
        self.position = position
        self.attempts = attempts
        self.due = due
        self.error = error
        self.isDeadLetter = isDeadLetter
    }
}

/// The changes of a durable observer's progress since it was last saved.
public struct OutboxProgressChange: Hashable, Sendable {
    /// The position up to which all rows are handled or held.
    public var cursor: Int64

    /// Rows that are newly held.
    public var held: [OutboxHeldRow]

    /// Held rows whose state has changed. If the store no longer holds a row, the row was dropped and stays dropped.
    public var updated: [OutboxHeldRow]

    /// Positions of rows that are no longer held.
    public var released: [Int64]

    /// Creates a change.
    public init(cursor: Int64, held: [OutboxHeldRow] = [], updated: [OutboxHeldRow] = [], released: [Int64] = []) {
        self.cursor = cursor
        self.held = held
        self.updated = updated
        self.released = released
    }

    var changesHeld: Bool { !held.isEmpty || !updated.isEmpty || !released.isEmpty }
}

/// A durable observer in the store, whether or not a program runs it.
public struct DurableObserverRecord: Hashable, Sendable {
    /// The name of the observer.
    public var name: String

    /// The position up to which all rows are handled or held.
    public var cursor: Int64

    /// The number of positions after the cursor. Rows of all types count, so the observer may receive fewer.
    public var backlog: Int

    /// The storage time of the oldest row that is held or follows the cursor, in milliseconds since 1970, or `nil`.
    public var oldest: Int64?

    /// The number of notifications that are retried, or wait behind a retried one.
    public var held: Int

    /// The number of dead letters.
    public var deadLetters: Int

    /// The time at which a program last ran the observer, in milliseconds since 1970.
    public var seenAt: Int64

    /// Whether rows are no longer kept for the observer.
    public var isAbandoned: Bool

    /// The number of partitions, at least 1. ``cursor`` and ``oldest`` are the minima of all partitions, and
    /// ``backlog`` is the maximum.
    public var partitions: Int

    /// Creates a record.
    public init(
        name: String, cursor: Int64, backlog: Int, oldest: Int64?, held: Int, deadLetters: Int, seenAt: Int64,
        isAbandoned: Bool, partitions: Int = 1
    ) {
        self.name = name
        self.cursor = cursor
        self.backlog = backlog
        self.oldest = oldest
        self.held = held
        self.deadLetters = deadLetters
        self.seenAt = seenAt
        self.isAbandoned = isAbandoned
        self.partitions = partitions
    }

    static func combined(_ partitions: [DurableObserverRecord]) -> [DurableObserverRecord] {
        var records: [String: DurableObserverRecord] = [:]
        for var part in partitions {
            part.name = Partitions.observer(of: part.name)
            guard let known = records[part.name] else {
                records[part.name] = part
                continue
            }
            part.cursor = min(part.cursor, known.cursor)
            part.backlog = max(part.backlog, known.backlog)
            part.oldest = [part.oldest, known.oldest].compactMap { $0 }.min()
            part.held += known.held
            part.deadLetters += known.deadLetters
            part.seenAt = max(part.seenAt, known.seenAt)
            part.isAbandoned = part.isAbandoned && known.isAbandoned
            part.partitions += known.partitions
            records[part.name] = part
        }
        return records.values.sorted { $0.name < $1.name }
    }
}

/// A notification with which a durable observer has failed, and that is redelivered only on request.
public struct OutboxDeadLetter: Hashable, Sendable {
    /// The row.
    public var row: OutboxRow

    /// The number of times that the observer has failed with the notification.
    public var attempts: Int

    /// The error of the last failure.
    public var error: String

    /// Creates a dead letter.
    public init(row: OutboxRow, attempts: Int, error: String) {
        self.row = row
        self.attempts = attempts
        self.error = error
    }

    init(_ held: OutboxWaitingRow) { self.init(row: held.row, attempts: held.attempts, error: held.error ?? "") }
}
