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
    /// The header of a letter that has nothing of the notification but where it was.
    private static let contentHeader = "tidings-dead-content"
    private static let added = [
        reasonHeader, subjectHeader, sequenceHeader, identityHeader, contentHeader, addressee, origin, "nats-msg-id",
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

    /// Whether a letter has nothing of the notification but where it was.
    static func isWithoutContent(_ letter: StoredMessage) -> Bool { letter.header(contentHeader) == "none" }

    /// The message that is kept: the event as it was, with the reason beside it.
    ///
    /// - Parameters:
    ///   - arrived: The message that is given up.
    ///   - problem: Why.
    ///   - identity: By which its stream knows a second copy.
    ///   - hasContent: Whether the event is part of it. The reason takes room, which a message near the server's limit does not leave: then the
    ///     letter says where the event is.
    /// - Returns: The letter.
    static func message(
        of arrived: Arrived, _ problem: RelayFault, identity: String, hasContent: Bool = true
    ) -> RelayMessage {
        let (message, delivery) = (arrived.message, arrived.delivery)
        var letter = RelayMessage(arrived.reading.deadLetterSubject, bytes: hasContent ? message.bytes : [])
        if hasContent {
            letter.headers = message.headers.filter { !added.contains($0.name.lowercased()) }
        } else {
            letter.headers = [.init(contentHeader, "none")]
        }
        letter.headers.append(.init("Nats-Msg-Id", identity))
        letter.headers.append(.init(reasonHeader, HeaderText.escaped(String("\(problem)".prefix(1000)))))
        letter.headers.append(.init(subjectHeader, HeaderText.escaped(message.subject)))
        letter.headers.append(.init(sequenceHeader, "\(delivery.sequence)"))
        if let id = message.header(identityHeader) ?? problem.id ?? message.header("Nats-Msg-Id") {
            letter.headers.append(.init(identityHeader, id))
        }
        return letter
    }

    /// The message that is sent back: the event as it was.
    ///
    /// - Parameters:
    ///   - message: What has the content: the letter itself, or the message that was given up.
    ///   - identity: By which the stream knows a second copy: if the program is lost before the letter is removed.
    /// - Returns: The message.
    func redriven(_ message: StoredMessage, identity: String) -> RelayMessage {
        var back = RelayMessage(subject, bytes: message.bytes)
        back.headers = message.headers.filter { !Self.added.contains($0.name.lowercased()) }
        // Its identity stays, in case that it is given up again: the server knows the message by another one.
        if let id = notificationID { back.headers.append(.init(Self.identityHeader, id)) }
        back.headers.append(.init("Nats-Msg-Id", identity))
        back.headers.append(.init(Self.addressee, consumer))
        back.headers.append(.init(Self.origin, "\(number)"))
        return back
    }
}
