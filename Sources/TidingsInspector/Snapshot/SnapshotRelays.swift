extension InspectorSnapshot {
    /// The state of a relay, as the relay and its server report it.
    public struct Relay: Codable, Hashable, Sendable {
        /// The name that was given to the inspector, or the relay's own name.
        public var name: String

        /// Whether the relay is connected.
        public var connected: Bool

        /// The number of notifications that wait to be sent, and their size in bytes.
        public var outgoing, outgoingBytes: Int

        /// The incoming durable routes. The array is empty until the server has responded for the first time.
        public var routes: [Route]

        /// The reason why the server doesn't report the current lag. If not `nil`, the routes have their last values.
        public var error: String?
    }

    /// The lag of a relay's route. All programs in a group report the same values.
    public struct Route: Codable, Hashable, Sendable {
        /// The name of the notification on the wire, and the stream in which it is stored.
        public var notification, stream: String

        /// The name of the group, of the consumer, or of the program that receives the notifications.
        public var group: String

        /// The numbers of undelivered notifications, and of delivered but unacknowledged notifications.
        public var waiting, inProgress: Int

        /// The number of notifications in progress that were delivered more than once, and the number of dead letters.
        public var redelivered, deadLetters: Int

        /// The age of the oldest notification that hasn't been handled, or `nil` if there is none.
        public var oldestAge: Double?
    }
}
