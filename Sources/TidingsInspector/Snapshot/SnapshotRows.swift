extension InspectorSnapshot {
    /// A notification type in a center, or the messages of a bus.
    public struct NotificationType: Codable, Hashable, Sendable {
        /// The type with its module, or the name in Foundation's center.
        public var name: String

        /// The name of the center or the bus.
        public var center: String

        /// How many posts there were while the type had an observer; how many notifications were handed to observers, without those that a
        /// buffering policy dropped; and how many were dropped. Of a center since it was made, of a bus since the inspector has counted.
        public var posts, deliveries, drops: Int

        /// The same for each second of about the last one; `nil` if that is not known yet.
        public var postsPerSecond, deliveriesPerSecond, dropsPerSecond: Double?

        /// How many observers the type has, and how many notifications wait for them.
        public var observers, waiting: Int

        /// How many of the posts that were measured called nobody, those before there was an observer among them; `nil` if none was measured.
        public var unobserved: Int?

        /// The line that made most of the posts that were measured; `nil` if none was.
        public var postedAt: String?

        /// How long posts took, with the calls made in them; how long calls took; and how long notifications waited. `nil` if
        /// none was measured.
        public var postTimes, callTimes, waitTimes: Times?
    }

    /// Durations that were measured since the inspector last began to measure, in seconds.
    public struct Times: Codable, Hashable, Sendable {
        /// How many were measured. Those of a busy program are a sample.
        public var count: Int

        /// The mean and the longest.
        public var mean, longest: Double

        /// What half, nine tenths and ninety-nine hundredths of them did not exceed, to an eighth.
        public var median, percentile90, percentile99: Double
    }

    /// An observer, or the consumer of a bus.
    public struct Observer: Codable, Hashable, Sendable {
        /// Its identity, which no other observer of the process has or will have.
        public var id: String

        /// The name of the center or the bus.
        public var center: String

        /// The notification type.
        public var type: String

        /// The line of source that registered it, as `Module/File.swift:12`.
        public var place: String

        /// The context in which it runs, such as `in the post` or `in an actor`.
        public var delivery: String

        /// The type and the address of the object that it is tied to.
        public var owner: String?

        /// The sender that it is limited to.
        public var sender: String?

        /// The name by which a table knows a durable observer, and the name of the group that holds the observer.
        public var name, group: String?

        /// When it was registered; `nil` if nothing noted it, as outside of the tiers that measure.
        public var since: Double?

        /// When the inspector saw it first.
        public var seen: Double

        /// How many notifications wait for it.
        public var waiting: Int

        /// By how many a second that number grows; `nil` if that is not known yet.
        public var growth: Double?

        /// How many notifications its buffering policy has dropped.
        public var dropped: Int

        /// How many it drops a second; `nil` if that is not known yet.
        public var droppedPerSecond: Double?

        /// Whether drops are the purpose of its policy, as that of `.latest(1)`: they are no reason for a warning. `nil` means no.
        public var intendsDrops: Bool?

        /// How many notifications its condition refused; `nil` where posts are not followed.
        public var refused: Int?

        /// How many notifications it threw an error for and is not called with again, and how many wait to be handed to it again.
        public var failed, retrying: Int?

        /// Whether it was never called, although its type has been posted for some time since the inspector saw it first. `nil` means no.
        public var isNeverCalled: Bool?

        /// Whether a call of it is running.
        public var running: Bool

        /// For how long that call is running, also if it began before anybody looked.
        ///
        /// Of an observer that runs in the post, or is given several notifications at once, it is at least as long.
        public var runningFor: Double?

        /// For how long the oldest notification that waits has waited, at least.
        public var oldestWait: Double?

        /// Whether it is stuck: a call of it runs, or notifications wait and none is taken, for as long as
        /// ``Inspector/Options/stuckAfter``.
        public var isStuck: Bool

        /// How many notifications it has been called with in all, or the consumer of a sequence has taken. Dropped and refused ones are not
        /// among them. Of an observer that runs in the post, how many calls were measured, and `nil` if none can have been.
        public var calls: Int?

        /// How many a second; `nil` if that is not known yet.
        public var callsPerSecond: Double?

        /// What share of about the last second its calls were running, from 0 to 1; `nil` if that is not known. Of an observer that
        /// runs in the post it is known in the tiers that measure.
        public var busy: Double?

        /// How long calls took, and how long notifications waited before; `nil` if none was measured.
        public var callTimes, waitTimes: Times?
    }

    /// An observer that has ended.
    public struct EndedObserver: Codable, Hashable, Sendable {
        /// As the observer had them.
        public var id, center, type, place, delivery: String

        /// The sender that it was limited to.
        public var sender: String?

        /// Why it has ended, such as `owner gone`; `nil` if nothing noted it.
        public var reason: String?

        /// When the inspector noticed.
        public var time: Double
    }

    /// A message bus. Its consumers are listed with the observers.
    public struct Bus: Codable, Hashable, Sendable {
        /// The name that it was given, or that of its message type.
        public var name: String

        /// The message type.
        public var messages: String

        /// How many consumers there are, how many of them are running, and how many messages wait for them.
        public var consumers, running, waiting: Int
    }
}
