extension RelayOptions {
    /// The maximum lag of an incoming durable route before ``NotificationRelay/health(_:)`` reports it. There is no
    /// limit if it is `nil`.
    public struct LagLimits: Hashable, Sendable {
        /// The maximum age of the oldest stored notification that hasn't been handled. It should be longer than
        /// handling and retries take.
        public var age: Duration?

        /// The maximum number of notifications that weren't delivered to any program yet.
        public var waiting: Int?

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - age: The maximum age of the oldest stored notification that hasn't been handled.
        ///   - waiting: The maximum number of notifications that weren't delivered to any program yet.
        public init(age: Duration? = nil, waiting: Int? = nil) {
            self.age = age
            self.waiting = waiting
        }

        var isEmpty: Bool { age == nil && waiting == nil }
    }
}
