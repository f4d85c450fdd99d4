/// What a durable route does with its stream. A route that is not durable has none, and these change nothing.
extension RelayRoute {
    /// What becomes of notifications that their stream cannot take now, as it has reached a limit or the server has no storage left.
    @nonexhaustive
    public enum FullStream: String, Hashable, CaseIterable, Sendable {
        /// They wait in the send buffer until it can, and those that follow them wait behind. That it is full is one
        /// ``RelayFault/Kind/streamFull``. Notifications for other streams go on.
        case wait
        /// They are refused, each with a ``RelayFault/Kind/streamFull``.
        case refuse
    }

    /// Says what becomes of notifications that the stream of the route cannot take now. They wait, unless this says otherwise.
    ///
    /// - Parameter policy: What becomes of them.
    /// - Returns: The route.
    public func whenFull(_ policy: FullStream) -> RelayRoute {
        var route = self
        route.fullStream = policy
        return route
    }

    /// Says how long the stream of the route keeps notifications: ``StreamRetention/standard``, unless this says otherwise. All routes of a
    /// stream that say it say the same.
    ///
    /// ```swift
    /// .durable(OrderPlaced.self, stream: "ORDERS").retention(StreamRetention(age: .seconds(30 * 24 * 3600), bytes: 10 << 30))
    /// ```
    ///
    /// - Parameter retention: How long, and how many.
    /// - Returns: The route.
    public func retention(_ retention: StreamRetention) -> RelayRoute {
        var route = self
        route.retention = retention
        return route
    }
}
