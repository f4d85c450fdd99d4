extension InspectorSnapshot {
    /// More details about an observer, a group of observers, or a notification type than a snapshot contains.
    public struct Details: Codable, Hashable, Sendable {
        /// The observers, at most 50, sorted by the lengths of their queues.
        public var observers: [Observer]

        /// The number of observers that aren't listed.
        public var omitted: Int

        /// The durations of calls, and the times that notifications waited before; for a type also the durations of
        /// posts. They are empty if none was measured.
        public var calls, waits, posts: [Step]

        /// The last measured calls, newest first.
        public var lastCalls: [Call]

        /// The last posts that didn't call one of the observers, newest first.
        public var missed: [MissedPost]
    }

    /// A step of a histogram: durations between the end of the previous step and its own.
    public struct Step: Codable, Hashable, Sendable {
        /// The upper bound of the durations, in seconds.
        public var end: Double

        /// The number of durations.
        public var count: Int
    }

    /// A call of an observer that has ended.
    public struct Call: Codable, Hashable, Sendable {
        /// The identities of the observer and of the delivery. The latter begins with the identity of the post.
        public var observer, delivery: String

        /// The time of the end, or `nil` for a call in a post.
        public var time: Double?

        /// The time that the notification waited, and the duration of the call.
        public var waited, duration: Double?
    }

    /// A post that didn't call an observer, with the reason.
    public struct MissedPost: Codable, Hashable, Sendable {
        /// The identity of the post.
        public var post: String

        /// The time at which it began.
        public var time: Double

        /// The observer and the reason.
        public var missed: Missed
    }
}
