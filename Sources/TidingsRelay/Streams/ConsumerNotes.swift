/// What a consumer has to know after its program was lost, kept in a stream beside the one that it reads: of each subject the last message.
///
/// The server's count of deliveries does not say which message a program did not survive: all that it had fetched count alike.
struct ConsumerNotes: Sendable {
    let service: StreamService
    let prefix: String
    let stream: String
    let consumer: String

    /// The stream of the notes about the consumers of a stream.
    static func stream(of stream: String) -> String { "\(stream)_NOTES" }

    /// The subjects of the notes about the consumers of a stream.
    static func subjects(_ prefix: String, of stream: String) -> String { "\(prefix)-note.\(stream).>" }

    private var notes: String { Self.stream(of: stream) }

    private func subject(_ name: String) -> String { "\(prefix)-note.\(stream).\(consumer).\(name)" }

    /// Whether a message was handed out alone, and nobody has noted its end.
    func hasBegun(_ sequence: UInt64) async throws(RelayFault) -> Bool {
        try await read("begun.\(sequence)") != nil
    }

    /// Notes that a message will be handed out alone.
    func begin(_ sequence: UInt64) async throws(RelayFault) { try await write("begun.\(sequence)", "") }

    /// Notes that a message that was handed out alone has come to its end.
    func end(_ sequence: UInt64) async throws(RelayFault) {
        _ = try await service.ask(
            "STREAM.PURGE.\(notes)", #"{"filter":\#(JSONText.string(subject("begun.\(sequence)")))}"#)
    }

    /// Up to which number of the stream everything was acknowledged, and when that stream was made; `nil` if it was never noted.
    func place() async throws(RelayFault) -> (sequence: UInt64, created: String)? {
        guard let bytes = try await read("place"), let note = try? JSONMembers(bytes), let number = note.number("seq"),
            let created = note.string("created")
        else { return nil }
        return (UInt64(clamping: number), created)
    }

    /// Notes up to which number of the stream everything was acknowledged.
    func setPlace(_ sequence: UInt64, created: String) async throws(RelayFault) {
        try await write("place", #"{"seq":\#(sequence),"created":\#(JSONText.string(created))}"#)
    }

    /// The time of the server, as it stamps what it stores, in whole seconds since 1970.
    func serverTime() async throws(RelayFault) -> Int? {
        try await write("clock", "")
        let request = #"{"last_by_subj":\#(JSONText.string(subject("clock")))}"#
        return try await service.ask("STREAM.MSG.GET.\(notes)", request)?.object("message")?.string("time")
            .flatMap(Timestamps.seconds)
    }

    /// The body of a note; `nil` if there is none.
    private func read(_ name: String) async throws(RelayFault) -> [UInt8]? {
        let answer = try await service.ask(
            "STREAM.MSG.GET.\(notes)", #"{"last_by_subj":\#(JSONText.string(subject(name)))}"#)
        return answer?.object("message").map { StoredMessage($0)?.bytes ?? [] }
    }

    private func write(_ name: String, _ body: String) async throws(RelayFault) {
        let answer = try await service.questions.ask(service.link, subject(name), body, at: service.clock.now)
        guard let error = answer.object("error") else { return }
        throw RelayFault(.rejected, subject: subject(name), error.string("description") ?? "the note is refused")
    }
}
