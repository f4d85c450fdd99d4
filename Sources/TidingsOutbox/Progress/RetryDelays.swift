/// How long a durable observer waits before it gets a notification again that it has failed with.
public struct RetryDelays: Hashable, Sendable {
    /// The delays, one for each time. After the last one the notification is buried.
    public var delays: [Duration]

    /// Sets the delays.
    ///
    /// - Parameter delays: The delays, one for each time.
    public init(_ delays: [Duration]) { self.delays = delays }

    /// One, five and thirty seconds, two and ten minutes.
    public static var standard: RetryDelays {
        RetryDelays([.seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(600)])
    }

    /// No second time: what fails is buried.
    public static var none: RetryDelays { RetryDelays([]) }

    /// How long to wait after a number of failed attempts; `nil` if that was the last one.
    func delay(after attempts: Int) -> Duration? {
        attempts >= 1 && attempts <= delays.count ? delays[attempts - 1] : nil
    }
}
