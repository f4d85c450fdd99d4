/// Notes about a consumer, stored in a stream: its position, and the message that is handed out alone. They outlive the
/// program, and show which message crashed it. The server's delivery counts can't show this, because they count all
/// fetched messages.
struct ConsumerNotes: Sendable {
    let service: StreamService
    let prefix: String
    let stream: String
    let consumer: String

    static func stream(of stream: String) -> String { "\(stream)_NOTES" }

    static func subjects(_ prefix: String, of stream: String) -> String { "\(prefix)-note.\(stream).>" }

    private var notes: String { Self.stream(of: stream) }

    private func subject(_ name: String) -> String { "\(prefix)-note.\(stream).\(consumer).\(name)" }

    /// Whether a message was handed out alone, and its note hasn't been removed.
    func hasBegun(_ sequence: UInt64) async throws(RelayFault) -> Bool {
        try await read("begun.\(sequence)") != nil
    }

    func begin(_ sequence: UInt64) async throws(RelayFault) { try await write("begun.\(sequence)", "") }

    func end(_ sequence: UInt64) async throws(RelayFault) {
        _ = try await service.ask(
            "STREAM.PURGE.\(notes)", #"{"filter":\#(JSONText.string(subject("begun.\(sequence)")))}"#)
    }

    func place() async throws(RelayFault) -> (sequence: UInt64, created: String)? {
        guard let bytes = try await read("place")?.bytes("data"), let note = try? JSONMembers(bytes),
            let number = note.number("seq"),
            let created = note.string("created")
        else { return nil }
        return (UInt64(clamping: number), created)
    }

    func setPlace(_ sequence: UInt64, created: String) async throws(RelayFault) {
        try await write("place", #"{"seq":\#(sequence),"created":\#(JSONText.string(created))}"#)
    }

    func serverTime() async throws(RelayFault) -> Int? {
        try await write("clock", "")
        return try await read("clock")?.string("time").flatMap(Timestamps.seconds)
    }

    private func read(_ name: String) async throws(RelayFault) -> JSONMembers? {
        let request = #"{"last_by_subj":\#(JSONText.string(subject(name)))}"#
        return try await service.ask("STREAM.MSG.GET.\(notes)", request)?.object("message")
    }

    private func write(_ name: String, _ body: String) async throws(RelayFault) {
        let answer = try await service.questions.ask(service.link, subject(name), body, at: service.clock.now)
        guard let error = answer.object("error") else { return }
        throw RelayFault(.rejected, subject: subject(name), error.string("description") ?? "the note was rejected")
    }
}
