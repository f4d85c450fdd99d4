/// A component that stores notifications until observers have handled them, such as an outbox.
public protocol StoredNotificationManager: AnyObject, Sendable {
    /// Lists the durable observers, waiting notifications, dead letters and scheduled notifications.
    ///
    /// - Parameter limit: The maximum number of notifications of each kind, for each observer.
    /// - Returns: The report.
    /// - Throws: An error of the store.
    func storedNotifications(limit: Int) async throws -> StoredReport

    /// Redelivers or drops stored notifications.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - kind: The kind of the notifications.
    ///   - observer: The durable observer; `nil` for a scheduled notification.
    ///   - id: The ``StoredReport/Entry/id`` of a notification; `nil` for all dead letters of the observer.
    /// - Returns: The number of changed notifications; 0 if their kind has changed or doesn't allow the action.
    /// - Throws: An error of the store.
    func perform(_ action: StoredReport.Action, on kind: StoredReport.Kind, of observer: String?, id: String?)
        async throws -> Int
}

/// The notifications in a store, at one point in time.
public struct StoredReport: Sendable {
    /// A kind of stored notification.
    @nonexhaustive
    public enum Kind: String, Sendable, CaseIterable {
        /// An observer hasn't handled the notification yet.
        case waiting
        /// An observer has failed to handle the notification, and no retry follows.
        case deadLetter
        /// The notification isn't due yet.
        case scheduled
    }

    /// A change of stored notifications.
    @nonexhaustive
    public enum Action: String, Sendable {
        /// Redelivers a dead letter, or makes a scheduled notification due now.
        case redrive
        /// Removes a dead letter, a scheduled notification, or a waiting notification with ``Entry/isHeld``.
        case drop
    }

    /// A durable observer.
    public struct Observer: Sendable {
        /// The name of the observer.
        @export(implementation) public var name: String

        /// Whether this program runs the observer.
        @export(implementation) public var isRunningHere: Bool

        /// The number of stored notifications, of all types, after the observer's position in the store.
        @export(implementation) public var backlog: Int

        /// The number of notifications that wait for a retry, or for the retry of an earlier notification, and the
        /// number of dead letters.
        @export(implementation) public var held: Int, deadLetters: Int

        /// When the oldest waiting notification was stored, in milliseconds since 1970; `nil` if none waits.
        @export(implementation) public var oldest: Int64?

        /// Creates an observer.
        public init(
            name: String, isRunningHere: Bool, backlog: Int, held: Int, deadLetters: Int, oldest: Int64?
        ) {
            self.name = name
            self.isRunningHere = isRunningHere
            self.backlog = backlog
            self.held = held
            self.deadLetters = deadLetters
            self.oldest = oldest
        }
    }

    /// A stored notification, without its contents.
    public struct Entry: Sendable {
        /// The kind of the notification.
        @export(implementation) public var kind: Kind

        /// The durable observer; `nil` for a scheduled notification.
        @export(implementation) public var observer: String?

        /// The identity by which an action refers to the notification.
        @export(implementation) public var id: String

        /// The name of the notification on the wire.
        @export(implementation) public var notification: String

        /// The number of failed calls of the observer for this notification, and the last error.
        @export(implementation) public var attempts: Int, error: String?

        /// The time at which the notification was stored, in milliseconds since 1970.
        @export(implementation) public var storedAt: Int64

        /// When the notification is due or retried, in milliseconds since 1970; `nil` if there is no such time.
        @export(implementation) public var due: Int64?

        /// Whether the notification waits for a retry, or for the retry of an earlier notification. A waiting
        /// notification can only be dropped if this is `true`.
        @export(implementation) public var isHeld: Bool

        /// Creates an entry.
        public init(
            kind: Kind, observer: String?, id: String, notification: String, attempts: Int = 0, error: String? = nil,
            storedAt: Int64, due: Int64? = nil, isHeld: Bool = false
        ) {
            self.kind = kind
            self.observer = observer
            self.id = id
            self.notification = notification
            self.attempts = attempts
            self.error = error
            self.storedAt = storedAt
            self.due = due
            self.isHeld = isHeld
        }
    }

    /// The durable observers, whether or not this program runs them.
    @export(implementation) public var observers: [Observer]

    /// The notifications.
    @export(implementation) public var entries: [Entry]

    /// Creates a report.
    public init(observers: [Observer], entries: [Entry]) {
        self.observers = observers
        self.entries = entries
    }
}
