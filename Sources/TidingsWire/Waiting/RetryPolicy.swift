/// The delays of the redeliveries of a notification that an observer failed to handle.
///
/// ```swift
/// route.consuming { $0.retryPolicy = [.seconds(10), .seconds(60)] }
/// ```
public struct RetryPolicy: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The delay before each redelivery. If the last redelivery fails, the notification becomes a dead letter.
    public var delays: [Duration]

    /// Creates a policy with the given delays.
    ///
    /// - Parameter delays: The delay before each redelivery.
    public init(_ delays: [Duration]) { self.delays = delays }

    /// Creates a policy with the given delays.
    ///
    /// - Parameter delays: The delay before each redelivery.
    public init(arrayLiteral delays: Duration...) { self.delays = delays }

    /// Five redeliveries, after 1, 5 and 30 seconds, and after 2 and 10 minutes.
    public static var standard: RetryPolicy {
        [.seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(600)]
    }

    /// No redelivery. A notification that fails becomes a dead letter.
    public static var none: RetryPolicy { [] }

    package func delay(after attempts: Int) -> Duration? {
        attempts >= 1 && attempts <= delays.count ? delays[attempts - 1] : nil
    }
}

/// The position at which a durable observer starts if the outbox's table doesn't contain the observer yet.
@nonexhaustive
public enum StartPosition: Hashable, Sendable {
    /// The observer starts with notifications that are stored after the outbox was opened.
    case new
    /// The observer starts with the oldest row of the table.
    case stored
}
