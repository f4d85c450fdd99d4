extension InspectorSnapshot {
    /// A notification type in a center, or the messages of a bus.
    public struct NotificationType: Codable, Hashable, Sendable {
        /// The name of the type with its module, or the name of a notification in Foundation's center.
        public var name: String

        /// The name of the center or the bus.
        public var center: String

        /// The numbers of posts, deliveries and drops since the center was created; for a bus, since the inspector
        /// started to measure. A post is counted only while the type has an observer. Drops aren't deliveries.
        public var posts, deliveries, drops: Int

        /// The rates per second over about the last second, or `nil` if they aren't known yet.
        public var postsPerSecond, deliveriesPerSecond, dropsPerSecond: Double?

        /// The number of observers of the type, and the number of notifications queued for them.
        public var observers, waiting: Int

        /// The number of measured posts that called no observer, or `nil` if the inspector doesn't measure.
        public var unobserved: Int?

        /// The source line with the most measured posts, or `nil` if none was measured.
        public var postedAt: String?

        /// The durations of posts (including calls in them), of calls, and of waits, or `nil` if none was measured.
        public var postTimes, callTimes, waitTimes: Times?
    }

    /// Durations in seconds, measured since the inspector last started measuring.
    public struct Times: Codable, Hashable, Sendable {
        /// The number of measurements. In a busy program, only a sample is measured.
        public var count: Int

        /// The mean and the maximum.
        public var mean, longest: Double

        /// The median, the 90th and the 99th percentile, with a relative error of at most one eighth.
        public var median, percentile90, percentile99: Double
    }

    /// An observer, or the consumer of a bus.
    public struct Observer: Codable, Hashable, Sendable {
        /// The identity, which is unique in the process.
        public var id: String

        /// The name of the center or the bus.
        public var center: String

        /// The notification type.
        public var type: String

        /// The source line that registered the observer, as `Module/File.swift:12`.
        public var place: String

        /// The context in which the observer runs, such as `in the post` or `in an actor`.
        public var delivery: String

        /// The type and the address of the object to which the observer is tied.
        public var owner: String?

        /// The sender to which the observer is limited.
        public var sender: String?

        /// The name of a durable observer, and the name of the group that holds the observer.
        public var name, group: String?

        /// The time of the registration, or `nil` if it wasn't recorded.
        public var since: Double?

        /// The time at which the inspector first saw the observer.
        public var seen: Double

        /// The number of notifications queued for the observer.
        public var waiting: Int

        /// The growth of ``waiting`` per second, or `nil` if it isn't known yet.
        public var growth: Double?

        /// The number of notifications that the observer's buffering policy has dropped.
        public var dropped: Int

        /// The number of drops per second, or `nil` if it isn't known yet.
        public var droppedPerSecond: Double?

        /// Whether the policy is meant to drop, like `.latest(1)`. If so, drops cause no warning. `nil` means no.
        public var intendsDrops: Bool?

        /// The number of notifications that the observer's condition rejected. `nil` unless the tier is `follow`, or if
        /// there are so many observers that the inspector may have missed some of the rejections.
        public var refused: Int?

        /// The number of notifications that failed and aren't retried again, and the number that wait for a retry.
        public var failed, retrying: Int?

        /// Whether the observer was never called, although its type has been posted for some time. `nil` means no.
        public var isNeverCalled: Bool?

        /// Whether a call is running.
        public var running: Bool

        /// The time for which the current call has been running. This is a lower bound if the observer runs in the
        /// post, or receives several notifications at once.
        public var runningFor: Double?

        /// The last mark that the running call has set with `Tidings.mark`, and its source line.
        public var mark, markedAt: String?

        /// The time since the running call set ``mark``.
        public var markedFor: Double?

        /// The approximate age of the oldest queued notification.
        public var oldestWait: Double?

        /// Whether a call has been running, or nothing has been taken from the queue, for at least
        /// ``Inspector/Options/stuckAfter``. The queue of a stuck observer may still change, because its buffering
        /// policy may drop notifications.
        public var isStuck: Bool

        /// The time for which a call has been running, or nothing has been taken from the queue. `nil` unless
        /// ``isStuck`` is true.
        public var stuckFor: Double?

        /// The number of notifications that the observer or loop has received. Dropped and rejected ones don't count.
        /// For an observer that runs in the post, this is the number of measured calls, or `nil` without measurements,
        /// or if there are so many observers that the inspector may have missed some of the calls.
        public var calls: Int?

        /// The number of calls per second, or `nil` if it isn't known yet.
        public var callsPerSecond: Double?

        /// The fraction of the time, from 0 to 1, in which the observer's calls were running, over about the last
        /// second. `nil` if it isn't known. For an observer that runs in the post, the fraction is known only while the
        /// inspector measures.
        public var busy: Double?

        /// The durations of calls and of the waits before them, or `nil` if none was measured.
        public var callTimes, waitTimes: Times?
    }

    /// An observer that has ended.
    public struct EndedObserver: Codable, Hashable, Sendable {
        /// The properties of the observer: see ``Observer``.
        public var id, center, type, place, delivery: String

        /// The sender to which the observer was limited.
        public var sender: String?

        /// The reason for the end, such as `owner gone`, or `nil` if it wasn't recorded.
        public var reason: String?

        /// The time at which the inspector detected the end.
        public var time: Double
    }

    /// A message bus. Its consumers are listed with the observers.
    public struct Bus: Codable, Hashable, Sendable {
        /// The name that was given to the inspector, or the name of the message type.
        public var name: String

        /// The message type.
        public var messages: String

        /// The numbers of consumers, of running consumers, and of messages queued for them.
        public var consumers, running, waiting: Int
    }
}
