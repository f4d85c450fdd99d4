/// How often a notification that an observer has failed with is delivered again, and after how long each time.
///
/// ```swift
/// route.consuming { $0.retryPolicy = [.seconds(10), .seconds(60)] }
/// ```
public struct RetryPolicy: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The delays, one for each time. After the last one the notification becomes a dead letter.
    public var delays: [Duration]

    /// Sets the delays.
    ///
    /// - Parameter delays: The delays, one for each time.
    public init(_ delays: [Duration]) { self.delays = delays }

    /// Sets the delays.
    ///
    /// - Parameter delays: The delays, one for each time.
    public init(arrayLiteral delays: Duration...) { self.delays = delays }

    /// One, five and thirty seconds, two and ten minutes.
    public static var standard: RetryPolicy {
        [.seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(600)]
    }

    /// No second time: what fails becomes a dead letter.
    public static var none: RetryPolicy { [] }

    /// How long to wait after a number of failed attempts; `nil` if that was the last one.
    package func delay(after attempts: Int) -> Duration? {
        attempts >= 1 && attempts <= delays.count ? delays[attempts - 1] : nil
    }
}

/// Where a durable observer begins that its table does not know.
@nonexhaustive
public enum StartPosition: Hashable, Sendable {
    /// With what is stored after the outbox was opened.
    case new
    /// With the oldest row that the table has.
    case stored
}
