extension InspectorSnapshot {
    /// The stored notifications of all outboxes, which the route `stored` returns.
    public struct Stored: Codable, Hashable, Sendable {
        /// Whether requests with the token may change stored notifications.
        public var mayChange: Bool

        /// The outboxes.
        public var outboxes: [Outbox]
    }

    /// The stored notifications of an outbox, as its store last reported them.
    public struct Outbox: Codable, Hashable, Sendable {
        /// The name that was given to the inspector.
        public var name: String

        /// Whether the store has responded to a query yet.
        public var isKnown: Bool

        /// The durable observers of the outbox.
        public var observers: [StoredObserver]

        /// The notifications, at most 100 of each kind and observer.
        public var entries: [StoredEntry]

        /// The error of the last query, or `nil` if it succeeded. After a failure, the observers and entries are those
        /// of an earlier query.
        public var error: String?

        /// The last requested change.
        public var lastChange: StoredChange?
    }

    /// A durable observer of an outbox.
    public struct StoredObserver: Codable, Hashable, Sendable {
        /// The name of the observer.
        public var name: String

        /// Whether this program runs the observer.
        public var runsHere: Bool

        /// The number of stored notifications of all types after the observer's position, the number of notifications
        /// that are retried or wait behind a retried one, and the number of dead letters.
        public var backlog, retried, deadLetters: Int

        /// The time at which the oldest waiting notification was stored, in seconds since 1970.
        public var oldest: Double?
    }

    /// The kind of a stored notification.
    @nonexhaustive
    public enum StoredKind: String, Codable, Hashable, Sendable {
        /// An observer hasn't handled the notification yet.
        case waiting
        /// An observer has failed with the notification, which is redelivered only on request.
        case deadLetter
        /// The notification isn't due yet.
        case scheduled
    }

    /// A stored notification.
    public struct StoredEntry: Codable, Hashable, Sendable {
        /// The kind.
        public var kind: StoredKind

        /// The durable observer, or `nil` for a scheduled notification.
        public var observer: String?

        /// The identity.
        public var id: String

        /// The name of the notification on the wire.
        public var notification: String

        /// The number of failed attempts.
        public var attempts: Int

        /// The error of the last attempt.
        public var error: String?

        /// The time at which the notification was stored, in seconds since 1970.
        public var stored: Double

        /// The time at which the notification is due or retried, in seconds since 1970.
        public var due: Double?

        /// Whether a waiting notification is retried or waits behind a retried one. Only then can it be dropped.
        public var isHeld: Bool
    }

    /// A change of stored notifications.
    public struct StoredChange: Codable, Hashable, Sendable {
        /// The kinds of changes.
        @nonexhaustive
        public enum Action: String, Codable, Hashable, Sendable {
            /// Redelivers dead letters, or makes a scheduled notification due now.
            case redrive
            /// Removes dead letters, a waiting notification, or a scheduled notification.
            case drop
        }

        /// The action.
        public var action: Action

        /// The kind of the notifications.
        public var kind: StoredKind

        /// The durable observer, for dead letters and for waiting notifications.
        public var observer: String?

        /// The identity of the notification, or `nil` for all dead letters of the observer.
        public var id: String?

        /// The number of changed notifications, or `nil` while the change isn't complete.
        public var count: Int?

        /// The error that prevented the change.
        public var error: String?
    }
}
