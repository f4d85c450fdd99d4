extension InspectorSnapshot {
    /// A relay, as it and its server know it.
    public struct Relay: Codable, Hashable, Sendable {
        /// The name that it was given, or its own.
        public var name: String

        /// Whether it is connected.
        public var connected: Bool

        /// How many notifications wait in the program to be stored, and how many bytes they have.
        public var outgoing, outgoingBytes: Int

        /// The durable routes that go in. There are none before the server was asked, which takes a moment when somebody looks first.
        public var routes: [Route]

        /// Why the server does not say how far behind they are now, so that they are as they were.
        public var error: String?
    }

    /// How far behind a route of a relay is. Programs that share a group have the same figures.
    public struct Route: Codable, Hashable, Sendable {
        /// The name of the notification on the wire, and the stream in which it is stored.
        public var notification, stream: String

        /// Who takes it: the name of the group, of the consumer, or of the program.
        public var group: String

        /// How many notifications were not given to anybody yet, and how many were given to programs, and not acknowledged.
        public var waiting, inProgress: Int

        /// How many of those in progress were given more than once, and how many are kept among the dead letters.
        public var redelivered, buried: Int

        /// For how long the oldest has been stored that is not done with; `nil` if there is none.
        public var oldestAge: Double?
    }
}
