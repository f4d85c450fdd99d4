extension InspectorSnapshot {
    /// More about an observer, a group of observers, or a notification type than a snapshot has.
    public struct Details: Codable, Hashable, Sendable {
        /// The observers, at most 50: the first ones by their queues.
        public var observers: [Observer]

        /// How many there are that are not listed.
        public var omitted: Int

        /// How long calls took, and how long notifications waited before; of a type also how long posts took. Empty if none was measured.
        public var calls, waits, posts: [Step]

        /// The last calls that were measured, the last one first.
        public var lastCalls: [Call]

        /// The last posts that have not called one of the observers, the last one first.
        public var missed: [MissedPost]
    }

    /// A step of a histogram: durations between the end of the step before and its own.
    public struct Step: Codable, Hashable, Sendable {
        /// What the durations do not exceed, in seconds.
        public var end: Double

        /// How many there were.
        public var count: Int
    }

    /// A call of an observer that has ended.
    public struct Call: Codable, Hashable, Sendable {
        /// The identities of the observer and of the delivery, which begins with that of the post.
        public var observer, delivery: String

        /// When it ended; `nil` for a call in a post.
        public var time: Double?

        /// How long the notification waited, and how long the call took.
        public var waited, duration: Double?
    }

    /// A post that has not called an observer, and why.
    public struct MissedPost: Codable, Hashable, Sendable {
        /// The identity of the post.
        public var post: String

        /// When it began.
        public var time: Double

        /// The observer, and why it was not called.
        public var missed: Missed
    }
}
