/// A notification that a durable observer hasn't handled yet.
public struct OutboxWaitingRow: Hashable, Sendable {
    /// The row.
    public var row: OutboxRow

    /// The number of times that the observer has failed with it.
    public var attempts: Int

    /// The time of the next attempt, in milliseconds since 1970; 0 if it is delivered as soon as its turn comes.
    public var due: Int64

    /// The error of the last failure.
    public var error: String?

    /// Creates a waiting row.
    public init(row: OutboxRow, attempts: Int = 0, due: Int64 = 0, error: String? = nil) {
        self.row = row
        self.attempts = attempts
        self.due = due
        self.error = error
    }
}

/// The number of entries that were removed because of their age.
public struct OutboxExpiry: Hashable, Sendable {
    /// The number of dead letters of each durable observer that had some.
    public var deadLetters: [String: Int]

    /// The number of identities in the inbox.
    public var inboxEntries: Int

    /// Creates an expiry.
    public init(deadLetters: [String: Int] = [:], inboxEntries: Int = 0) {
        self.deadLetters = deadLetters
        self.inboxEntries = inboxEntries
    }
}
