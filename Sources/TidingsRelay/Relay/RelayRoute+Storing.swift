/// The settings of a durable route for its stream. Other routes have no stream, and these methods have no effect on
/// them.
extension RelayRoute {
    /// The policy for notifications that their stream can't store now, because it has reached a limit or the server has
    /// no storage left.
    @nonexhaustive
    public enum FullStream: String, Hashable, CaseIterable, Sendable {
        /// They wait in the send buffer until the stream can store them, and later ones wait behind them. A
        /// ``RelayFault/Kind/streamFull`` is reported once. Notifications for other streams continue.
        case wait
        /// They are rejected, each with a ``RelayFault/Kind/streamFull``.
        case refuse
    }

    /// Sets the policy for notifications that the route's stream can't store now. By default they wait.
    ///
    /// - Parameter policy: The policy.
    /// - Returns: The route.
    public func whenFull(_ policy: FullStream) -> RelayRoute {
        var route = self
        route.fullStream = policy
        return route
    }

    /// Sets the time for which the route's stream keeps notifications; ``StreamRetention/standard`` by default. All
    /// routes of a stream that set it have to set the same.
    ///
    /// ```swift
    /// .durable(OrderPlaced.self, stream: "ORDERS").retention(StreamRetention(age: .seconds(30 * 24 * 3600), bytes: 10 << 30))
    /// ```
    ///
    /// - Parameter retention: The age and the limits.
    /// - Returns: The route.
    public func retention(_ retention: StreamRetention) -> RelayRoute {
        var route = self
        route.retention = retention
        return route
    }
}
