extension InspectorSnapshot {
    /// The observers that one source line has registered for one type. A line that registers repeatedly is one row.
    public struct Group: Codable, Hashable, Sendable {
        /// The identity in its inspector, as long as the program runs.
        public var id: String

        /// The name of the center or the bus.
        public var center: String

        /// The notification type.
        public var type: String

        /// The source line that registered them, as `Module/File.swift:12`, and the context in which they run.
        public var place, delivery: String

        /// The number of observers.
        public var count: Int

        /// The growth of that number per second, or `nil` if it isn't known yet.
        public var growth: Double?

        /// Whether that number has only grown for some seconds and continues to grow, as in a leak.
        public var isGrowing: Bool

        /// The identity of the observer, if there is only one.
        public var observer: String?

        /// The owner, if there is one observer, or the type of the owners, if several have the same.
        public var owner: String?

        /// The sender. For several observers, the first of their senders, as types or as text.
        public var sender: String?

        /// The name of a durable observer in its table, and the name of the group that holds the observers, if they
        /// have the same.
        public var name, group: String?

        /// The time of the first registration, or `nil` if it wasn't recorded.
        public var since: Double?

        /// The time at which the inspector first saw one of them.
        public var seen: Double

        /// The number of notifications queued for them.
        public var waiting: Int

        /// The growth of that number per second, or `nil` if it isn't known yet.
        public var waitingGrowth: Double?

        /// The number of notifications that their buffering policies have dropped.
        public var dropped: Int

        /// Whether drops are the purpose of their policy. `nil` means no.
        public var intendsDrops: Bool?

        /// The number of notifications with which they were called: see ``Observer/calls``.
        public var calls: Int?

        /// The number of calls per second, or `nil` if it isn't known.
        public var callsPerSecond: Double?

        /// The numbers of notifications that their condition rejected, that they gave up on after an error, and that
        /// wait for a retry.
        public var refused, failed, retrying: Int?

        /// The number of observers that were never called: see ``Observer/isNeverCalled``.
        public var neverCalled: Int?

        /// The number of observers that are running, and the number that are stuck: see ``Observer/isStuck``.
        public var running, stuck: Int

        /// The maximum of their ``Observer/runningFor``, ``Observer/oldestWait`` and ``Observer/busy``.
        public var runningFor, oldestWait, busy: Double?

        /// The durations of calls, and the times that notifications waited before; `nil` if none was measured.
        public var callTimes, waitTimes: Times?
    }

    /// The objects of one type that own observers.
    public struct OwnerType: Codable, Hashable, Sendable {
        /// The type.
        public var type: String

        /// The number of objects.
        public var count: Int

        /// The growth of that number per second, or `nil` if it isn't known yet.
        public var growth: Double?

        /// Whether that number has only grown for some seconds and continues to grow.
        public var isGrowing: Bool
    }
}
