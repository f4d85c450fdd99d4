/// A notification that a durable observer hasn't handled: one that is retried, waits behind a retried one, or is new.
public struct OutboxWaitingRow: Hashable, Sendable {
    /// The row.
    public var row: OutboxRow

    /// The number of times that the observer has failed with the notification since it was stored or redelivered.
    public var attempts: Int

    /// The time of the next attempt in milliseconds since 1970, or 0 if ``attempts`` is 0.
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

/// The numbers of entries that were removed because of their age.
public struct OutboxExpiry: Hashable, Sendable {
    /// The number of removed dead letters, by the name of the durable observer.
    public var deadLetters: [String: Int]

    /// The number of identities that were removed from the inbox.
    public var inboxEntries: Int

    /// Creates an expiry.
    public init(deadLetters: [String: Int] = [:], inboxEntries: Int = 0) {
        self.deadLetters = deadLetters
        self.inboxEntries = inboxEntries
    }
}
