public import Tidings

/// How far behind a relay is, by what it and its server know.
public struct RelayStatus: Hashable, Sendable {
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

        /// How many this program has buried, as they are refused for ever: `NotificationOutbox.deadLetters(for:limit:)` lists them.
        public let deadLetters: Int

        /// Whether this program is the one that sends: of several with one table, one does.
        public let isSentHere: Bool
    }

    /// How many durable notifications wait to be stored.
    public let unsentCount: Int

    /// How many bytes they have.
    public let unsentBytes: Int

    /// The durable routes that go in, in the order in which the relay has them; one that is `ordered` has each of its partitions here.
    public let routes: [LagReport.Route]

    /// The streams that are sent to from the table of an outbox; none if the relay has no outbox.
    public let tables: [Table]
}
