/// How far a durable observer has come, as the store has it.
public struct OutboxProgress: Hashable, Sendable {
    /// The position up to which everything is handled or held.
    public var cursor: Int64

    /// What failed and is tried again, and what waits behind it; not what is buried.
    public var held: [OutboxHeldRow]

    /// Whether the program that ran it last did not let go of it: some of what comes next may have been handled.
    public var wasInterrupted: Bool

    /// Whether rows may have been pruned that the observer has not got, as it was abandoned.
    public var wasAbandoned: Bool

    /// The last position when it was taken.
    public var newest: Int64

    /// Describes progress.
    ///
    /// - Parameters:
    ///   - cursor: The position up to which everything is handled or held.
    ///   - held: What is held.
    ///   - wasInterrupted: Whether the program that ran it last did not let go of it.
    ///   - wasAbandoned: Whether rows may have been pruned that it has not got.
    ///   - newest: The last position.
    public init(
        cursor: Int64, held: [OutboxHeldRow] = [], wasInterrupted: Bool = false, wasAbandoned: Bool = false,
        newest: Int64
    ) {
        self.cursor = cursor
        self.held = held
        self.wasInterrupted = wasInterrupted
        self.wasAbandoned = wasAbandoned
        self.newest = newest
    }
}

/// A notification that a durable observer has failed with, or that waits behind one of the same key.
public struct OutboxHeldRow: Hashable, Sendable {
    /// The key within which order is kept.
    public var key: String

    /// The position of the row.
    public var position: Int64

    /// How often the observer has failed with it.
    public var attempts: Int

    /// When it is tried again, in milliseconds since 1970; 0 for as soon as it is its turn.
    public var due: Int64

    /// Why it failed the last time.
    public var error: String?

    /// Whether it is not tried again unless that is asked for.
    public var isDeadLetter: Bool

    /// Describes a held row.
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

/// What has changed since a durable observer's progress was saved.
public struct OutboxProgressChange: Hashable, Sendable {
    /// The position up to which everything is handled or held.
    public var cursor: Int64

    /// Rows that are held anew, or are held in another way than before.
    public var held: [OutboxHeldRow]

    /// Positions of rows that are held no more.
    public var released: [Int64]

    /// Describes a change.
    public init(cursor: Int64, held: [OutboxHeldRow] = [], released: [Int64] = []) {
        self.cursor = cursor
        self.held = held
        self.released = released
    }
}

/// A durable observer as the store knows it, whether or not a program runs it.
public struct DurableObserverRecord: Hashable, Sendable {
    /// Its name.
    public var name: String

    /// The position up to which everything is handled or held.
    public var cursor: Int64

    /// How many positions there are behind its cursor: at least as many as rows that it waits for, as they count rows of all types.
    public var backlog: Int

    /// When the oldest row behind its cursor, or held, was stored, in milliseconds since 1970; `nil` if there is none.
    public var oldest: Int64?

    /// How many notifications are tried again, or wait behind one.
    public var held: Int

    /// How many are buried.
    public var deadLetters: Int

    /// When a program ran it last, in milliseconds since 1970.
    public var seenAt: Int64

    /// Whether nothing is kept for it any more.
    public var isAbandoned: Bool

    /// Describes a durable observer.
    public init(
        name: String, cursor: Int64, backlog: Int, oldest: Int64?, held: Int, deadLetters: Int, seenAt: Int64,
        isAbandoned: Bool
    ) {
        self.name = name
        self.cursor = cursor
        self.backlog = backlog
        self.oldest = oldest
        self.held = held
        self.deadLetters = deadLetters
        self.seenAt = seenAt
        self.isAbandoned = isAbandoned
    }
}

/// A notification that a durable observer has failed with for the last time.
public struct OutboxDeadLetter: Hashable, Sendable {
    /// The row.
    public var row: OutboxRow

    /// How often the observer has failed with it.
    public var attempts: Int

    /// Why it failed the last time.
    public var error: String

    /// Describes a buried notification.
    public init(row: OutboxRow, attempts: Int, error: String) {
        self.row = row
        self.attempts = attempts
        self.error = error
    }
}
