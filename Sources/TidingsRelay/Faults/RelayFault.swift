/// A problem in a relay, which is posted in the relay's center or thrown to the task that waits for the result.
///
/// ```swift
/// center.addObserver(for: RelayFault.self) { fault in log.warning("\(fault)") }.store(in: &tokens)
/// ```
///
/// The first fault of a kind for a notification type is posted at once, on the thread that detected it. Further faults
/// of that kind for that type are combined into one fault per second, whose ``count`` is their number. Faults of the
/// kinds ``Kind/deadLetter`` and ``Kind/storedAgain`` are never combined.
public struct RelayFault: TypedNotification, Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// The connection can't be opened, for example because there is no server at the address. The relay retries.
        case cannotConnect
        /// The connection has ended. The relay opens a new one.
        case connectionLost
        /// The server rejects the login, or doesn't permit publishing or subscribing to the subject.
        case permissionDenied
        /// The notification is larger than the server or its stream allows. Other programs don't receive it.
        case payloadTooLarge
        /// The program handles transient notifications more slowly than they arrive, and some were dropped.
        case slowConsumer
        /// A message on the notification's subject has another type.
        case unknownType
        /// A message, or a row of an outbox, has a version that this program can't read.
        case unknownVersion
        /// A message, or a row of an outbox, can't be decoded.
        case undecodable
        /// The notification can't be encoded. It isn't sent.
        case unencodable
        /// A name, a sender or an identity is missing, invalid or already in use.
        case invalidName
        /// A value of the configuration or of a route is missing or invalid, or two routes set different retentions.
        case invalidConfiguration
        /// The stream has reached its limit, or the server has no storage left. ``RelayRoute/whenFull(_:)`` determines
        /// whether the notification waits until there is room, or is rejected.
        case streamFull
        /// The server rejects a request for a reason that no other kind describes, doesn't respond, or no longer has
        /// the stream or the consumer. The relay creates missing streams and consumers of its routes again.
        case rejected
        /// The consumer of a stream was deleted. The relay creates it again, at the position in ``RelayFault/detail``.
        case consumerLost
        /// A consumer is new, and skips the existing messages of its stream, because its route has no start position.
        case skipped
        /// A consumer's setting or a number of partitions differs from the requested one: see ``RelayFault/detail``.
        case settingsDiffer
        /// Another connected program has the same name and the same ``RelayOptions/instance``.
        case sameInstance
        /// Too many notifications or bytes wait to be sent, so a notification was dropped.
        case sendBufferFull
        /// A durable notification has no observer. It is retried, or waits for an observer: see
        /// ``RelayRoute/ConsumerOptions/consumesUnobserved``.
        case unobserved
        /// An observer of a durable notification failed, or requested a retry. The notification is redelivered.
        case observerFailed
        /// A program crashed or was killed during the last delivery of a durable notification. The notification isn't
        /// redelivered.
        case programLost
        /// A durable notification isn't redelivered, and is kept as a dead letter.
        case deadLetter
        /// The relay has had no connection for ``RelayOptions/handOverTime``, and lets another program send from their
        /// shared outbox. If there is no other program, the relay sends when it is connected again. Nothing is lost.
        case outboxReleased
        /// The relay ended before the notification was stored or sent.
        case stopped
        /// A stream lost a stored notification. The relay sent it again, so it may arrive after later notifications.
        case storedAgain
    }

    /// The kind of the fault.
    public let kind: Kind

    /// The type of the event on the wire, with its version or partition, or `nil` if the fault isn't about an event.
    public internal(set) var type: String?

    /// The subject of the message, or the name of the affected stream or consumer. `nil` if the fault has neither.
    public internal(set) var subject: String?

    /// The identity of the event, or of the last of several events. `nil` if no identity is known.
    public internal(set) var id: String?

    /// The number of faults that this fault combines, or the number of notifications that it concerns.
    public internal(set) var count = 1

    /// The details as text.
    public let detail: String

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - kind: The kind of the fault.
    ///   - subject: The subject of the message.
    ///   - id: The identity of the event.
    ///   - detail: The details as text.
    public init(_ kind: Kind, subject: String? = nil, id: String? = nil, _ detail: String) {
        self.kind = kind
        self.subject = subject
        self.id = id
        self.detail = detail
    }

    /// The kind, the subject and the identity if they are known, and the details, on one line.
    public var description: String {
        let place = [subject, id].compactMap { $0 }.joined(separator: " ")
        let words = place.isEmpty ? "\(kind.rawValue): \(detail)" : "\(kind.rawValue) (\(place)): \(detail)"
        return count > 1 ? "\(words) (\(count) times)" : words
    }
}
