/// A stored notification that is delivered when it is due.
public struct OutboxScheduledRow: Hashable, Sendable {
    /// The row. Its position is 0 until the notification is due. Its number never changes.
    public var row: OutboxRow

    /// The time at which the notification is due, in milliseconds since 1970.
    public var due: Int64

    /// Creates a scheduled row.
    public init(row: OutboxRow, due: Int64) {
        self.row = row
        self.due = due
    }
}

package enum DueTime: Sendable {
    /// The time in milliseconds since 1970.
    case at(Int64)
    /// The number of milliseconds after the post, by the clock of the database.
    case after(Int64)

    /// The end of the year 9999, in milliseconds since 1970. Later times count as this time.
    private static let latest: Int64 = 253_402_300_799_000

    package init(secondsSince1970 seconds: Double) {
        let milliseconds = seconds * 1000
        // A time before 1970, or a value that isn't a number, counts as 1970, so the notification is due at once.
        self = .at(milliseconds > 0 ? Int64(min(milliseconds, Double(Self.latest))) : 0)
    }

    package init(after delay: Duration) {
        self = .after(delay < .seconds(Self.latest / 1000) ? max(0, delay.milliseconds) : Self.latest)
    }

    /// Returns the time in milliseconds since 1970, for a store without its own clock.
    package func milliseconds(now: Int64) -> Int64 {
        switch self {
        case .at(let time): time
        case .after(let delay): min(now + delay, Self.latest)
        }
    }
}
