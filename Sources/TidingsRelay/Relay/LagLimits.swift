extension RelayOptions {
    /// How far behind a durable route that goes in may be until ``NotificationRelay/health(_:)`` says so. A limit that is `nil` is none.
    public struct LagLimits: Hashable, Sendable {
        /// For how long the oldest notification may have been stored that is not done with: longer than work and retries take.
        public var age: Duration?

        /// How many notifications may wait that were not given to anybody yet.
        public var waiting: Int?

        /// Makes limits.
        ///
        /// - Parameters:
        ///   - age: For how long the oldest notification may have been stored that is not done with.
        ///   - waiting: How many notifications may wait that were not given to anybody yet.
        public init(age: Duration? = nil, waiting: Int? = nil) {
            self.age = age
            self.waiting = waiting
        }

        var isEmpty: Bool { age == nil && waiting == nil }
    }
}
