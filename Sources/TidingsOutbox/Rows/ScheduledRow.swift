#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A notification that is stored for later. Durable observers receive it when it is due.
public struct OutboxScheduledRow: Hashable, Sendable {
    /// The row, which has no position yet. Its number is that of the row that observers receive.
    public var row: OutboxRow

    /// The time at which it is due, in milliseconds since 1970.
    public var due: Int64

    /// Creates a scheduled row.
    ///
    /// - Parameters:
    ///   - row: The row, whose position is 0.
    ///   - due: The time at which it is due, in milliseconds since 1970.
    public init(row: OutboxRow, due: Int64) {
        self.row = row
        self.due = due
    }
}

/// The time at which a scheduled notification becomes due.
package enum DueTime: Sendable {
    /// Milliseconds since 1970.
    case at(Int64)
    /// Milliseconds after the post, by the clock of the database.
    case after(Int64)

    /// The end of the year 9999, in milliseconds since 1970. It stands for every later time.
    private static let latest: Int64 = 253_402_300_799_000

    package init(_ date: Date) {
        let milliseconds = date.timeIntervalSince1970 * 1000
        // A time before 1970 is as overdue as 1970, and so is one that isn't a number.
        self = .at(milliseconds > 0 ? Int64(min(milliseconds, Double(Self.latest))) : 0)
    }

    package init(after delay: Duration) {
        self = .after(delay < .seconds(Self.latest / 1000) ? max(0, delay.milliseconds) : Self.latest)
    }

    /// The milliseconds since 1970, for a store that has no clock of its own.
    package func milliseconds(now: Int64) -> Int64 {
        switch self {
        case .at(let time): time
        case .after(let delay): min(now + delay, Self.latest)
        }
    }
}
