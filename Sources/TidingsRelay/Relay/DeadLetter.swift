/// A durable notification that is no longer delivered to a consumer, and is kept in a separate stream. By default, that
/// stream has the ``StreamRetention/standard`` retention.
///
/// ```swift
/// let letters = try await relay.deadLetters()
/// try await relay.redrive(letters.filter { $0.reason.hasPrefix("unknownVersion") })
/// ```
public struct DeadLetter: Hashable, Sendable, Identifiable {
    /// The stream of the notification.
    public let stream: String

    /// The consumer to which the notification is no longer delivered.
    public let consumer: String

    /// The number of the dead letter among the dead letters of the stream.
    public let number: UInt64

    /// The subject of the notification.
    public let subject: String

    /// The number of the notification in its stream.
    public let sequence: UInt64

    /// The identity of the notification, as in ``NotificationOrigin/id``, or `nil` if it was stored without one.
    public let notificationID: String?

    /// The description of a ``RelayFault``, which begins with the kind of the fault.
    public let reason: String

    /// The identity of the dead letter.
    public var id: String { "\(stream) \(number)" }

    static func subject(_ prefix: String, _ stream: String) -> String { "\(prefix)-dead.\(stream)" }

    /// The header that names the only consumer that handles a redriven message.
    static let addressee = "tidings-for"
    /// The header that identifies the redriven dead letter, so that its message isn't mistaken for a duplicate.
    static let origin = "tidings-redriven"
    private static let reasonHeader = "tidings-dead-reason"
    private static let subjectHeader = "tidings-dead-subject"
    private static let sequenceHeader = "tidings-dead-sequence"
    private static let identityHeader = "tidings-dead-id"
    private static let contentHeader = "tidings-dead-content"
    private static let added = [
        reasonHeader, subjectHeader, sequenceHeader, identityHeader, contentHeader, addressee, origin, "nats-msg-id",
    ]

    init?(_ stored: StoredMessage, prefix: String, stream: String) {
        let message = stored.message
        guard let subject = message.header(Self.subjectHeader),
            let sequence = message.header(Self.sequenceHeader).flatMap({ UInt64($0) })
        else { return nil }
        self.stream = stream
        consumer = String(message.subject.dropFirst(Self.subject(prefix, stream).count + 1))
        number = stored.sequence
        self.subject = HeaderText.unescaped(subject)
        self.sequence = sequence
        notificationID = message.header(Self.identityHeader)
        reason = HeaderText.unescaped(message.header(Self.reasonHeader) ?? "")
    }

    /// Whether this dead letter was made from a message. If the stream was created again, another message may have the
    /// ``sequence``.
    func isOf(_ message: RelayMessage) -> Bool {
        if message.subject != subject { return false }
        guard let id = notificationID else { return true }
        let headers = [Self.identityHeader, "ce-id", "Nats-Msg-Id"]
        return headers.contains { message.header($0) == id } || (try? CloudEvent(message))?.id == id
    }

    static func isWithoutContent(_ letter: RelayMessage) -> Bool { letter.header(contentHeader) == "none" }

    /// Returns the message that stores a dead letter. If the event is too large, `hasContent` is false, and the message
    /// contains only the event's position.
    static func message(
        of arrived: Arrived, _ problem: RelayFault, identity: String, hasContent: Bool = true
    ) -> RelayMessage {
        let (message, delivery) = (arrived.message, arrived.delivery)
        var letter = RelayMessage(arrived.reading.deadLetterSubject, bytes: hasContent ? message.bytes : [])
        let own = message.headers.filter { !added.contains($0.name.lowercased()) }
        letter.headers = hasContent ? own : [.init(contentHeader, "none")]
        letter.headers.append(.init("Nats-Msg-Id", identity))
        letter.headers.append(.init(reasonHeader, HeaderText.escaped(String("\(problem)".prefix(1000)))))
        letter.headers.append(.init(subjectHeader, HeaderText.escaped(message.subject)))
        letter.headers.append(.init(sequenceHeader, "\(delivery.sequence)"))
        if let id = message.header(identityHeader) ?? problem.id ?? message.header("Nats-Msg-Id") {
            letter.headers.append(.init(identityHeader, id))
        }
        return letter
    }

    /// Returns the message that redrives this dead letter. All redrives of a dead letter have the same `identity`. If a
    /// program crashes before it removes the dead letter, the stream drops a second redrive within the duplicate
    /// window.
    func redriven(_ message: RelayMessage, identity: String) -> RelayMessage {
        var back = RelayMessage(subject, bytes: message.bytes)
        back.headers = message.headers.filter { !Self.added.contains($0.name.lowercased()) }
        // The notification keeps its identity, in case it becomes a dead letter again. The message gets a new identity.
        if let id = notificationID { back.headers.append(.init(Self.identityHeader, id)) }
        back.headers.append(.init("Nats-Msg-Id", identity))
        back.headers.append(.init(Self.addressee, consumer))
        back.headers.append(.init(Self.origin, "\(number)"))
        return back
    }
}
