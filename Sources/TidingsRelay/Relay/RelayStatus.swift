/// How far behind a relay is, by what it and its server know.
public struct RelayStatus: Hashable, Sendable {
    /// How far behind a durable route is that goes in. Programs that share a consumer have the same figures.
    public struct Route: Hashable, Sendable {
        /// The name of the notification on the wire.
        public let eventName: String

        /// The stream.
        public let stream: String

        /// Who takes it: the name of the group, of the consumer that the route names, or of the program. The partitions of an `ordered`
        /// route, and the replicas that each get all, have one group and a consumer each.
        public let group: String

        /// The consumer.
        public let consumer: String

        /// How many notifications were not given to anybody yet.
        public let waiting: Int

        /// How many were given to programs, and not acknowledged yet.
        public let inProgress: Int

        /// How many of those in progress were given more than once.
        public let redelivered: Int

        /// How many are kept among the dead letters.
        public let buried: Int

        /// For how long the oldest has been stored that is not done with, to the second; `nil` if there is none.
        public let oldestAge: Duration?
    }

    /// How far a stream has what the table of an outbox has.
    public struct Table: Hashable, Sendable {
        /// The stream.
        public let stream: String

        /// The durable observer of the outbox under whose name it is noted how far the relay has come.
        public let observer: String

        /// How many places of the table are behind that, of notifications of all types; 0 if another program sends.
        public let waiting: Int

        /// How many were refused, and are tried again. What was stored after them waits.
        public let failing: Int

        /// How many this program has buried, as they are refused for ever: `NotificationOutbox.buried(for:limit:)` lists them.
        public let buried: Int

        /// Whether this program is the one that sends: of several with one table, one does.
        public let isSentHere: Bool
    }

    /// How many durable notifications wait to be stored.
    public let outboxCount: Int

    /// How many bytes they have.
    public let outboxBytes: Int

    /// The durable routes that go in, in the order in which the relay has them; one that is `ordered` has each of its partitions here.
    public let routes: [Route]

    /// The streams that are sent to from the table of an outbox; none if the relay has no outbox.
    public let tables: [Table]
}
