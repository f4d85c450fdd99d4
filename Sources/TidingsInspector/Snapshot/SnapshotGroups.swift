extension InspectorSnapshot {
    /// The observers that one line of source has registered for one type: a line that registers again and again is one row.
    public struct Group: Codable, Hashable, Sendable {
        /// Its identity in its inspector, as long as the program runs.
        public var id: String

        /// The name of the center or the bus.
        public var center: String

        /// The notification type.
        public var type: String

        /// The line of source that registered them, as `Module/File.swift:12`, and the context in which they run.
        public var place, delivery: String

        /// How many observers there are.
        public var count: Int

        /// By how many a second that number grows; `nil` if that is not known yet.
        public var growth: Double?

        /// Whether that number has only grown for some seconds, and goes on: as that of a leak does.
        public var isGrowing: Bool

        /// The identity of the observer, if there is one only.
        public var observer: String?

        /// What the observers are tied to: of one observer as that says, of several the type, if it is the same.
        public var owner: String?

        /// What they are limited to: of several the first of their senders, by their types or their words.
        public var sender: String?

        /// The name by which a table knows a durable observer, and the name of the group that holds the observers, if it is the same.
        public var name, group: String?

        /// When the first of them was registered; `nil` if nothing noted it.
        public var since: Double?

        /// When the inspector saw one of them first.
        public var seen: Double

        /// How many notifications wait for them.
        public var waiting: Int

        /// By how many a second that number grows; `nil` if that is not known yet.
        public var waitingGrowth: Double?

        /// How many notifications their buffering policies have dropped.
        public var dropped: Int

        /// Whether drops are the purpose of their policy. `nil` means no.
        public var intendsDrops: Bool?

        /// How many notifications they were called with: see ``Observer/calls``.
        public var calls: Int?

        /// How many a second; `nil` if that is not known.
        public var callsPerSecond: Double?

        /// How many notifications their condition refused, how many they gave up after an error, and how many wait to be handed to them again.
        public var refused, failed, retrying: Int?

        /// How many of them were never called: see ``Observer/isNeverCalled``.
        public var neverCalled: Int?

        /// How many of them are running, and how many are stuck: see ``Observer/isStuck``.
        public var running, stuck: Int

        /// The longest of their ``Observer/runningFor`` and ``Observer/oldestWait``, and the largest of their ``Observer/busy``.
        public var runningFor, oldestWait, busy: Double?

        /// How long calls took, and how long notifications waited before; `nil` if none was measured.
        public var callTimes, waitTimes: Times?
    }

    /// The objects of one type that own observers.
    public struct OwnerType: Codable, Hashable, Sendable {
        /// The type.
        public var type: String

        /// How many objects there are.
        public var count: Int

        /// By how many a second that number grows; `nil` if that is not known yet.
        public var growth: Double?

        /// Whether that number has only grown for some seconds, and goes on.
        public var isGrowing: Bool
    }
}
