public import Tidings

/// The lag of a relay, as it and its server report it.
public struct RelayStatus: Hashable, Sendable {
    /// The progress of sending an outbox's table to a stream.
    public struct Table: Hashable, Sendable {
        /// The stream.
        public let stream: String

        /// The durable observer of the outbox under whose name the relay's progress is stored.
        public let observer: String

        /// The number of positions after that, including notifications of all types, or 0 if another program sends.
        public let waiting: Int

        /// The number of notifications that were rejected and are retried. Later ones wait behind them.
        public let failing: Int

        /// The number of notifications that became dead letters in this program, because they are rejected permanently.
        /// `NotificationOutbox.deadLetters(for:limit:)` lists them.
        public let deadLetters: Int

        /// Whether this program sends. If several programs share a table, one of them does.
        public let isSentHere: Bool
    }

    /// The number of durable notifications that wait to be stored.
    public let unsentCount: Int

    /// Their size in bytes.
    public let unsentBytes: Int

    /// The incoming durable routes, in the relay's order. An `ordered` route has an entry for each of its partitions.
    public let routes: [LagReport.Route]

    /// The streams that receive an outbox's table, or none if the relay has no outbox.
    public let tables: [Table]
}
