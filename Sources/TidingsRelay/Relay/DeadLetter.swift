/// A durable notification that is delivered no more to a consumer, and is kept.
///
/// ```swift
/// let letters = try await relay.deadLetters()
/// try await relay.redrive(letters.filter { $0.reason.hasPrefix("unknownVersion") })
/// ```
public struct DeadLetter: Hashable, Sendable, Identifiable {
    /// The stream of the notification.
    public let stream: String

    /// The consumer that gave it up.
    public let consumer: String

    /// Its number among the dead letters of the stream.
    public let number: UInt64

    /// The subject of the notification.
    public let subject: String

    /// The number of the notification in its stream.
    public let sequence: UInt64

    /// The identity of the notification, as ``NotificationOrigin/id``; `nil` if another package stored it without one.
    public let notificationID: String?

    /// Why it was given up: a ``RelayFault`` in words, which begins with its kind.
    public let reason: String

    /// What tells it from other dead letters.
    public var id: String { "\(stream) \(number)" }

    /// The subject below which the dead letters of a stream are.
    static func subject(_ prefix: String, _ stream: String) -> String { "\(prefix)-dead.\(stream)" }

    /// The header that says to which consumer a message is sent back; the others do not deliver it.
    static let addressee = "tidings-for"

    /// The header that says which dead letter was sent back, so that it is not taken for a copy of what was given up.
    static let origin = "tidings-redriven"

    private static let reasonHeader = "tidings-dead-reason"
    private static let subjectHeader = "tidings-dead-subject"
    private static let sequenceHeader = "tidings-dead-sequence"
    private static let identityHeader = "tidings-dead-id"
    private static let added = [
        reasonHeader, subjectHeader, sequenceHeader, identityHeader, addressee, origin, "nats-msg-id",
    ]

    /// Reads a dead letter; `nil` if it is none.
    init?(_ message: StoredMessage, prefix: String, stream: String) {
        guard let subject = message.header(Self.subjectHeader),
            let sequence = message.header(Self.sequenceHeader).flatMap({ UInt64($0) })
        else { return nil }
        self.stream = stream
        consumer = String(message.subject.dropFirst(Self.subject(prefix, stream).count + 1))
        number = message.sequence
        self.subject = HeaderText.unescaped(subject)
        self.sequence = sequence
        notificationID = message.header(Self.identityHeader)
        reason = HeaderText.unescaped(message.header(Self.reasonHeader) ?? "")
    }

    /// The message that is kept: the event as it was, with the reason beside it.
    static func message(
        of message: RelayMessage, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading, _ problem: RelayFault
    ) -> RelayMessage {
        var letter = RelayMessage(reading.deadLetterSubject, bytes: message.bytes)
        letter.headers = message.headers.filter { !added.contains($0.name.lowercased()) }
        letter.headers.append(.init("Nats-Msg-Id", "dead \(reading.consumer.name) \(delivery.sequence)"))
        letter.headers.append(.init(reasonHeader, HeaderText.escaped(String("\(problem)".prefix(1000)))))
        letter.headers.append(.init(subjectHeader, HeaderText.escaped(message.subject)))
        letter.headers.append(.init(sequenceHeader, "\(delivery.sequence)"))
        if let id = message.header(identityHeader) ?? message.header("Nats-Msg-Id") {
            letter.headers.append(.init(identityHeader, id))
        }
        return letter
    }

    /// The message that is sent back: the event as it was.
    func redriven(_ message: StoredMessage) -> RelayMessage {
        var back = RelayMessage(subject, bytes: message.bytes)
        // Its identity stays, in case that it is given up again: the server knows the message by another one.
        back.headers = message.headers.filter {
            !Self.added.contains($0.name.lowercased()) || $0.name.lowercased() == Self.identityHeader
        }
        // If the program is lost before the letter is removed, a second one is filtered by the server.
        back.headers.append(.init("Nats-Msg-Id", "redriven \(stream) \(number)"))
        back.headers.append(.init(Self.addressee, consumer))
        back.headers.append(.init(Self.origin, "\(number)"))
        return back
    }
}
