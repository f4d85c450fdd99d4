public import Tidings

/// Something that went wrong in a relay. It is posted in the relay's center, and thrown to who waits for what failed.
///
/// ```swift
/// center.addObserver(for: RelayFault.self) { fault in log.warning("\(fault)") }.store(in: &tokens)
/// ```
///
/// No failure of a relay is silent. Of faults of one kind, about one type, the first is posted on the thread on which it was noticed; those that
/// follow within a second are one, which says how many they are, see ``count``. Of dead letters, each is posted.
public struct RelayFault: TypedNotification, Error, Hashable, Sendable {
    /// What went wrong.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// There is no server at the address, or it does not let the relay in. The relay tries again.
        case cannotConnect
        /// The connection has ended. The relay makes a new one.
        case connectionLost
        /// The server does not allow to publish or to subscribe to the subject.
        case permissionDenied
        /// The notification is larger than the server allows. It is not sent.
        case payloadTooLarge
        /// The program takes transient notifications more slowly than they come. Some were dropped.
        case slowConsumer
        /// A message on the notification's subject is of another type.
        case unknownType
        /// A message has a version that this program does not read.
        case unknownVersion
        /// A message cannot be decoded.
        case undecodable
        /// The notification cannot be encoded. It is not sent.
        case unencodable
        /// A name, or a sender, cannot be part of a subject.
        case invalidName
        /// A value of the configuration is not set, or cannot be used.
        case invalidConfiguration
        /// The stream has reached its limit, or the server has no storage left. The notification waits until there is room, or is refused, as
        /// ``RelayRoute/whenFull(_:)`` says.
        case streamFull
        /// The server refuses a request, for a reason of its own; or it does not have the stream or the consumer any more. The relay makes
        /// those of its routes again.
        case rejected
        /// The consumer of a stream was removed, by whoever it was. The relay makes it again, and says where it goes on.
        case consumerLost
        /// A consumer is new, and skips what its stream has, as its route does not say where to begin.
        case skipped
        /// A setting of a consumer is not what this program asks for, and cannot be changed. Both values are told.
        case settingsDiffer
        /// Another program is connected that has the same name and the same ``RelayOptions/instance``.
        case sameInstance
        /// Too many notifications wait to be sent. This one is not.
        case sendBufferFull
        /// Nobody observed a durable notification. It will be delivered again; if the route waits for observers, when somebody does.
        case unobserved
        /// An observer of a durable notification failed. It will be delivered again.
        case observerFailed
        /// Programs were lost each time they were called with a durable notification. It is not handed out again.
        case programLost
        /// A durable notification will not be delivered again. It is kept among the dead letters.
        case deadLetter
        /// The relay has had no connection for ``RelayOptions/handOverTime``, and lets another program send from the outbox that both have.
        /// Without one, it sends when it is connected again: nothing is lost.
        case outboxReleased
        /// The relay has ended before the notification was stored.
        case stopped
    }

    /// What went wrong.
    public let kind: Kind

    /// The type of the event, with its version, as it is on the wire; `nil` if it is not about one.
    public internal(set) var type: String?

    /// The subject of the message; `nil` if it is not about one.
    public internal(set) var subject: String?

    /// The identity of the event; `nil` if it is not about one, or it is not known. Of more than one, that of the last.
    public internal(set) var id: String?

    /// For how many failures this stands, or of how many notifications it tells.
    public internal(set) var count = 1

    /// The details, in words.
    public let detail: String

    /// Describes what went wrong.
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - subject: The subject of the message.
    ///   - id: The identity of the event.
    ///   - detail: The details, in words.
    public init(_ kind: Kind, subject: String? = nil, id: String? = nil, _ detail: String) {
        self.kind = kind
        self.subject = subject
        self.id = id
        self.detail = detail
    }
}

extension RelayFault: CustomStringConvertible {
    /// The kind, the subject and the identity where they are known, and the details, in one line.
    public var description: String {
        let place = [subject, id].compactMap { $0 }.joined(separator: " ")
        let words = place.isEmpty ? "\(kind.rawValue): \(detail)" : "\(kind.rawValue) (\(place)): \(detail)"
        return count > 1 ? "\(words) (\(count) times)" : words
    }
}
