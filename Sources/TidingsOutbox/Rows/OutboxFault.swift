public import Tidings

/// Something that went wrong with what is stored. It is posted in the center of the outbox.
///
/// ```swift
/// center.addObserver(for: OutboxFault.self) { fault in log.warning("\(fault)") }.store(in: &tokens)
/// ```
///
/// No failure is silent: each is posted once.
public struct OutboxFault: TypedNotification, Hashable, Sendable {
    /// What went wrong.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// A durable observer threw an error. It gets the notification again.
        case observerFailed
        /// A durable observer has failed with a notification for the last time. The notification is deadLetters: it is listed, and
        /// delivered again by a call.
        case deadLetter
        /// A notification cannot be decoded, as its type has changed. It is buried.
        case undecodable
        /// A notification has a version that this program doesn't read. The observer is offered to programs of newer versions; if none takes
        /// over, the notification is tried again after the delays of the observer, and buried after the last one.
        case unknownVersion
        /// The store does not do what it is asked to. The outbox tries again.
        case storeFailed
        /// The store works again.
        case storeRecovered
        /// Another program has taken over a durable observer.
        case leaseLost
        /// A durable observer has not returned for a long time. It goes on waiting; nothing overtakes it.
        case observerHangs
        /// A durable observer was not run by any program for so long that nothing is kept for it any more.
        case abandoned
        /// The name of a durable observer, or of its type, can't be used, or another observer of this program has it. The observation has
        /// ended at once.
        case invalidName
        /// A durable observer that was abandoned is back: what was pruned meanwhile it has not got.
        case returned
    }

    /// What went wrong.
    public let kind: Kind

    /// The durable observer; `nil` if it is about none.
    public let observer: String?

    /// The identity of the notification; `nil` if it is about none.
    public let id: String?

    /// The details, in words.
    public let detail: String

    /// Describes a fault.
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - observer: The durable observer.
    ///   - id: The identity of the notification.
    ///   - detail: The details, in words.
    public init(_ kind: Kind, observer: String? = nil, id: String? = nil, _ detail: String) {
        self.kind = kind
        self.observer = observer
        self.id = id
        self.detail = detail
    }
}

extension OutboxFault: CustomStringConvertible {
    /// The kind, the observer and the identity where they are known, and the details, in one line.
    public var description: String {
        let place = [observer, id].compactMap { $0 }.joined(separator: " ")
        return place.isEmpty ? "\(kind.rawValue): \(detail)" : "\(kind.rawValue) (\(place)): \(detail)"
    }
}
