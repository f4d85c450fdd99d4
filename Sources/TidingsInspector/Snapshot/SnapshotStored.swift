extension InspectorSnapshot {
    /// The stored notifications of all outboxes that are inspected: the response at `stored`.
    public struct Stored: Codable, Hashable, Sendable {
        /// Whether requests with the token may change stored notifications.
        public var mayChange: Bool

        /// The outboxes.
        public var outboxes: [Outbox]
    }

    /// The stored notifications of an outbox, as its store last reported them.
    public struct Outbox: Codable, Hashable, Sendable {
        /// The given name.
        public var name: String

        /// Whether the store has reported anything yet. The first query takes a moment.
        public var isKnown: Bool

        /// The durable observers.
        public var observers: [StoredObserver]

        /// The notifications, at most 100 of each kind and observer.
        public var entries: [StoredEntry]

        /// The error of the last query. The report is the last known one then.
        public var error: String?

        /// The last requested change.
        public var lastChange: StoredChange?
    }

    /// A durable observer of an outbox.
    public struct StoredObserver: Codable, Hashable, Sendable {
        /// Its name.
        public var name: String

        /// Whether this program runs it.
        public var runsHere: Bool

        /// The number of stored notifications of all types that it hasn't passed, of those that are retried or wait
        /// behind one, and of dead letters.
        public var backlog, retried, deadLetters: Int

        /// The time at which the oldest waiting notification was stored, in seconds since 1970.
        public var oldest: Double?
    }

    /// The kind of a stored notification.
    @nonexhaustive
    public enum StoredKind: String, Codable, Hashable, Sendable {
        /// An observer hasn't handled it yet.
        case waiting
        /// An observer has failed with it for the last time.
        case deadLetter
        /// It isn't due yet.
        case scheduled
    }

    /// A stored notification.
    public struct StoredEntry: Codable, Hashable, Sendable {
        /// Its kind.
        public var kind: StoredKind

        /// The durable observer, or `nil` if it is scheduled.
        public var observer: String?

        /// Its identity.
        public var id: String

        /// The name of the notification on the wire.
        public var notification: String

        /// The number of failed attempts.
        public var attempts: Int

        /// The error of the last attempt.
        public var error: String?

        /// The time at which it was stored, in seconds since 1970.
        public var stored: Double

        /// The time at which it is due or retried, in seconds since 1970.
        public var due: Double?
    }

    /// A change of stored notifications.
    public struct StoredChange: Codable, Hashable, Sendable {
        /// The kinds of changes.
        @nonexhaustive
        public enum Action: String, Codable, Hashable, Sendable {
            /// Dead letters are redelivered, or a scheduled notification is due now.
            case redrive
            /// Dead letters or a scheduled notification are removed.
            case drop
        }

        /// The action.
        public var action: Action

        /// The kind of the notifications.
        public var kind: StoredKind

        /// The durable observer of dead letters.
        public var observer: String?

        /// The identity of the notification, or `nil` for all dead letters of the observer.
        public var id: String?

        /// The number of changed notifications, or `nil` if the change isn't complete.
        public var count: Int?

        /// The error that prevented the change.
        public var error: String?
    }
}
