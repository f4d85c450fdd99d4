/// A problem with stored notifications, posted in the center of the outbox.
///
/// ```swift
/// center.addObserver(for: OutboxFault.self) { fault in log.warning("\(fault)") }.store(in: &tokens)
/// ```
///
/// Each failure is posted once.
public struct OutboxFault: TypedNotification, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// A durable observer threw an error, and will receive the notification again.
        case observerFailed
        /// A durable observer has failed with a notification that has no retries left, and that is now a dead letter.
        case deadLetter
        /// A notification can't be decoded, for example because its type has changed. It becomes a dead letter.
        case undecodable
        /// A notification has a version that this program can't read. If no newer program takes over the observer, the
        /// notification is retried, and becomes a dead letter after the last retry.
        case unknownVersion
        /// The store returned an error. The outbox retries.
        case storeFailed
        /// The store works again.
        case storeRecovered
        /// Another program has taken over a durable observer, or the observer was removed.
        case leaseLost
        /// A call of a durable observer hasn't returned for a long time, and the observer receives nothing else.
        case observerHangs
        /// No program has run a durable observer during ``OutboxOptions/abandonedAfter``. The table no longer keeps
        /// notifications for the observer.
        case abandoned
        /// The name of a durable observer or of its type is invalid, or the program already runs an observer with the
        /// name. This fault is also posted if the registration requires strict order, and the observer of this name in
        /// the table has partitions. The observation has ended.
        case invalidName
        /// Dead letters of a durable observer were older than ``OutboxOptions/deadLetterRetention`` and were removed.
        case deadLettersExpired
        /// An abandoned durable observer is running again. It misses notifications that were removed in the meantime.
        case returned
    }

    /// The kind of the fault.
    public let kind: Kind

    /// The durable observer, or `nil` if the fault isn't about one.
    public let observer: String?

    /// The identity of the notification, or `nil` if the fault isn't about one.
    public let id: String?

    /// The details as text.
    public let detail: String

    /// Creates a fault.
    public init(_ kind: Kind, observer: String? = nil, id: String? = nil, _ detail: String) {
        self.kind = kind
        self.observer = observer
        self.id = id
        self.detail = detail
    }

    /// The kind, the observer and the identity if they are known, and the details, on one line.
    public var description: String {
        let place = [observer, id].compactMap { $0 }.joined(separator: " ")
        return place.isEmpty ? "\(kind.rawValue): \(detail)" : "\(kind.rawValue) (\(place)): \(detail)"
    }
}
