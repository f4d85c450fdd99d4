extension InspectorSnapshot {
    /// A notification type in a center, or the messages of a bus.
    public struct NotificationType: Codable, Hashable, Sendable {
        /// The type with its module, or the name in Foundation's center.
        public var name: String

        /// The name of the center or the bus.
        public var center: String

        /// The number of posts while the type had an observer, the number of notifications delivered to observers,
        /// excluding those that a buffering policy dropped, and the number of drops. For a center they count since its
        /// creation, for a bus since the inspector started counting.
        public var posts, deliveries, drops: Int

        /// The rates per second over about the last second, or `nil` if they aren't known yet.
        public var postsPerSecond, deliveriesPerSecond, dropsPerSecond: Double?

        /// The number of observers of the type, and the number of notifications queued for them.
        public var observers, waiting: Int

        /// The number of measured posts that called no observer, including those before the first registration, or
        /// `nil` if none was measured.
        public var unobserved: Int?

        /// The line that made most of the measured posts, or `nil` if none was measured.
        public var postedAt: String?

        /// The durations of posts, including the calls made in them; the durations of calls; and the times that
        /// notifications waited. They are `nil` if none was measured.
        public var postTimes, callTimes, waitTimes: Times?
    }

    /// Durations that were measured since the inspector last started measuring, in seconds.
    public struct Times: Codable, Hashable, Sendable {
        /// The number of measurements. In a busy program they are a sample.
        public var count: Int

        /// The mean and the maximum.
        public var mean, longest: Double

        /// The median, the 90th and the 99th percentile, with a relative error of at most one eighth.
        public var median, percentile90, percentile99: Double
    }

    /// An observer, or the consumer of a bus.
    public struct Observer: Codable, Hashable, Sendable {
        /// The identity, which no other observer of the process ever has.
        public var id: String

        /// The name of the center or the bus.
        public var center: String

        /// The notification type.
        public var type: String

        /// The source line that registered it, as `Module/File.swift:12`.
        public var place: String

        /// The context in which it runs, such as `in the post` or `in an actor`.
        public var delivery: String

        /// The type and the address of the object that it is tied to.
        public var owner: String?

        /// The sender that it is limited to.
        public var sender: String?

        /// The name of a durable observer in its table, and the name of the group that holds the observer.
        public var name, group: String?

        /// The time of the registration, or `nil` if it wasn't recorded, as outside of the measuring tiers.
        public var since: Double?

        /// The time at which the inspector first saw it.
        public var seen: Double

        /// The number of notifications queued for it.
        public var waiting: Int

        /// The growth of that number per second, or `nil` if it isn't known yet.
        public var growth: Double?

        /// The number of notifications that its buffering policy has dropped.
        public var dropped: Int

        /// The number of drops per second, or `nil` if it isn't known yet.
        public var droppedPerSecond: Double?

        /// Whether drops are the purpose of its policy, as for `.latest(1)`, and no reason for a warning. `nil` means
        /// no.
        public var intendsDrops: Bool?

        /// The number of notifications that its condition rejected, or `nil` if posts aren't followed.
        public var refused: Int?

        /// The number of notifications that it gave up on after an error, and the number that wait for a retry.
        public var failed, retrying: Int?

        /// Whether it was never called, although its type has been posted for some time since the inspector first saw
        /// it. `nil` means no.
        public var isNeverCalled: Bool?

        /// Whether one of its calls is running.
        public var running: Bool

        /// The age of that call, even if it began before the first inspection.
        ///
        /// For an observer that runs in the post, or receives several notifications at once, it is a lower bound.
        public var runningFor: Double?

        /// The last step that this call has named with `Tidings.mark`, and its source line; `nil` if it has named none.
        public var mark, markedAt: String?

        /// For how long it has been the last step.
        public var markedFor: Double?

        /// The minimum age of the oldest queued notification.
        public var oldestWait: Double?

        /// Whether it is stuck: a call has been running, or notifications are queued without progress, for
        /// ``Inspector/Options/stuckAfter``.
        public var isStuck: Bool

        /// The total number of notifications with which it was called, or that the consumer of a sequence has received,
        /// excluding dropped and rejected ones. For an observer that runs in the post, it is the number of measured
        /// calls, or `nil` if none can have been measured.
        public var calls: Int?

        /// The number of calls per second, or `nil` if it isn't known yet.
        public var callsPerSecond: Double?

        /// The share of about the last second in which its calls were running, from 0 to 1, or `nil` if it isn't known.
        /// For an observer that runs in the post, it is known in the measuring tiers.
        public var busy: Double?

        /// The durations of calls, and the times that notifications waited before; `nil` if none was measured.
        public var callTimes, waitTimes: Times?
    }

    /// An observer that has ended.
    public struct EndedObserver: Codable, Hashable, Sendable {
        /// The properties of the observer.
        public var id, center, type, place, delivery: String

        /// The sender that it was limited to.
        public var sender: String?

        /// The reason for the end, such as `owner gone`, or `nil` if it wasn't recorded.
        public var reason: String?

        /// The time at which the inspector noticed.
        public var time: Double
    }

    /// A message bus. Its consumers are listed with the observers.
    public struct Bus: Codable, Hashable, Sendable {
        /// The given name, or the name of its message type.
        public var name: String

        /// The message type.
        public var messages: String

        /// The number of consumers, the number of running ones, and the number of messages queued for them.
        public var consumers, running, waiting: Int
    }
}
