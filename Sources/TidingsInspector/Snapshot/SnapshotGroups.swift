extension InspectorSnapshot {
    /// The observers of one notification type that the same source line has registered.
    public struct Group: Codable, Hashable, Sendable {
        /// The identity, which is valid only in this inspector.
        public var id: String

        /// The name of the center or the bus.
        public var center: String

        /// The notification type.
        public var type: String

        /// The source line that registered the observers, as `Module/File.swift:12`, and the context in which they run.
        public var place, delivery: String

        /// The number of observers.
        public var count: Int

        /// The growth of ``count`` per second, or `nil` if it isn't known yet.
        public var growth: Double?

        /// Whether ``count`` has only grown for some seconds and continues to grow, as in a leak.
        public var isGrowing: Bool

        /// The identity of the observer, if there is only one.
        public var observer: String?

        /// The owner of a single observer. For several observers, the type of their owners, if all have the same type.
        /// Observers without an owner don't count, and observers that have ended still do.
        public var owner: String?

        /// The sender of a single observer. For several observers, at most eight of their senders, which may be senders
        /// of observers that have ended.
        public var sender: String?

        /// The name of a single durable observer, and the name of the `ObserverGroup` that holds all observers.
        public var name, group: String?

        /// The time of the first registration, or `nil` if it wasn't recorded.
        public var since: Double?

        /// The time at which the inspector first saw one of the observers.
        public var seen: Double

        /// The number of notifications queued for the observers.
        public var waiting: Int

        /// The growth of ``waiting`` per second, or `nil` if it isn't known yet.
        public var waitingGrowth: Double?

        /// The number of notifications that the observers' buffering policies have dropped.
        public var dropped: Int

        /// Whether the buffering policies of all observers are meant to drop notifications. `nil` means no.
        public var intendsDrops: Bool?

        /// The number of notifications with which the observers were called, or `nil` if the number isn't known for one
        /// of them: see ``Observer/calls``.
        public var calls: Int?

        /// The number of calls per second, or `nil` if it isn't known.
        public var callsPerSecond: Double?

        /// The number of notifications that the observers' conditions rejected, the number that failed and aren't
        /// retried again, and the number that wait for a retry. `nil` if the number isn't known for one of them.
        public var refused, failed, retrying: Int?

        /// The number of observers that were never called: see ``Observer/isNeverCalled``.
        public var neverCalled: Int?

        /// The numbers of running observers and of stuck observers: see ``Observer/isStuck``.
        public var running, stuck: Int

        /// The maxima of the observers' ``Observer/runningFor``, ``Observer/oldestWait``, ``Observer/stuckFor`` and
        /// ``Observer/busy``.
        public var runningFor, oldestWait, stuckFor, busy: Double?

        /// The durations of calls and of the waits before them, or `nil` if none was measured.
        public var callTimes, waitTimes: Times?
    }

    /// The type of objects that own observers.
    public struct OwnerType: Codable, Hashable, Sendable {
        /// The name of the type.
        public var type: String

        /// The number of objects.
        public var count: Int

        /// The growth of ``count`` per second, or `nil` if it isn't known yet.
        public var growth: Double?

        /// Whether ``count`` has only grown for some seconds and continues to grow.
        public var isGrowing: Bool
    }
}
