extension InspectorSnapshot {
    /// Details of an observer, a group of observers, or a notification type.
    public struct Details: Codable, Hashable, Sendable {
        /// The observers with the longest queues, at most 50.
        public var observers: [Observer]

        /// The number of observers that aren't listed.
        public var omitted: Int

        /// Histograms of the durations of calls, of the waits before calls, and of posts. `posts` is empty unless the
        /// details are about a type. A histogram is empty if nothing was measured.
        public var calls, waits, posts: [Step]

        /// The last measured calls, newest first. Calls in a post are last, because their time isn't known.
        public var lastCalls: [Call]

        /// The last posts that didn't call one of the observers, each with that observer and the reason, newest first.
        public var missed: [MissedPost]
    }

    /// A step of a histogram. It counts the durations from the end of the previous step to ``end``.
    public struct Step: Codable, Hashable, Sendable {
        /// The upper bound of the durations, in seconds.
        public var end: Double

        /// The number of durations.
        public var count: Int
    }

    /// A completed call of an observer.
    public struct Call: Codable, Hashable, Sendable {
        /// The identity of the observer, and the ``Delivery/id``, which begins with the identity of the post.
        public var observer, delivery: String

        /// The time of the end, or `nil` for a call in a post.
        public var time: Double?

        /// The time for which the notification was queued, and the duration of the call.
        public var waited, duration: Double?
    }

    /// A post that didn't call an observer, with the reason.
    public struct MissedPost: Codable, Hashable, Sendable {
        /// The identity of the post.
        public var post: String

        /// The time at which the post began.
        public var time: Double

        /// The observer and the reason.
        public var missed: Missed
    }
}
