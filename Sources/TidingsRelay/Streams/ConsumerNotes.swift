/// Notes about a consumer that outlive its program. They are kept in a stream beside the one that the consumer reads,
/// which stores the last message of each subject.
///
/// The server's delivery count doesn't show which message a program didn't survive, because it rises for every message
/// that the program had fetched.
struct ConsumerNotes: Sendable {
    let service: StreamService
    let prefix: String
    let stream: String
    let consumer: String

    /// Returns the stream of the notes about the consumers of a stream.
    static func stream(of stream: String) -> String { "\(stream)_NOTES" }

    /// Returns the subjects of the notes about the consumers of a stream.
    static func subjects(_ prefix: String, of stream: String) -> String { "\(prefix)-note.\(stream).>" }

    private var notes: String { Self.stream(of: stream) }

    private func subject(_ name: String) -> String { "\(prefix)-note.\(stream).\(consumer).\(name)" }

    /// Returns whether a message was handed out alone and its end wasn't recorded.
    func hasBegun(_ sequence: UInt64) async throws(RelayFault) -> Bool {
        try await read("begun.\(sequence)") != nil
    }

    /// Records that a message will be handed out alone.
    func begin(_ sequence: UInt64) async throws(RelayFault) { try await write("begun.\(sequence)", "") }

    /// Records that a message that was handed out alone has ended.
    func end(_ sequence: UInt64) async throws(RelayFault) {
        _ = try await service.ask(
            "STREAM.PURGE.\(notes)", #"{"filter":\#(JSONText.string(subject("begun.\(sequence)")))}"#)
    }

    /// Returns the number in the stream up to which everything was acknowledged, and the creation time of that stream,
    /// or `nil` if the place was never recorded.
    func place() async throws(RelayFault) -> (sequence: UInt64, created: String)? {
        guard let bytes = try await read("place"), let note = try? JSONMembers(bytes), let number = note.number("seq"),
            let created = note.string("created")
        else { return nil }
        return (UInt64(clamping: number), created)
    }

    /// Records the number in the stream up to which everything was acknowledged.
    func setPlace(_ sequence: UInt64, created: String) async throws(RelayFault) {
        try await write("place", #"{"seq":\#(sequence),"created":\#(JSONText.string(created))}"#)
    }

    /// Returns the server's time, which it writes to the messages that it stores, in whole seconds since 1970.
    func serverTime() async throws(RelayFault) -> Int? {
        try await write("clock", "")
        let request = #"{"last_by_subj":\#(JSONText.string(subject("clock")))}"#
        return try await service.ask("STREAM.MSG.GET.\(notes)", request)?.object("message")?.string("time")
            .flatMap(Timestamps.seconds)
    }

    /// Returns the body of a note, or `nil` if it doesn't exist.
    private func read(_ name: String) async throws(RelayFault) -> [UInt8]? {
        let answer = try await service.ask(
            "STREAM.MSG.GET.\(notes)", #"{"last_by_subj":\#(JSONText.string(subject(name)))}"#)
        return answer?.object("message").map { StoredMessage($0)?.bytes ?? [] }
    }

    private func write(_ name: String, _ body: String) async throws(RelayFault) {
        let answer = try await service.questions.ask(service.link, subject(name), body, at: service.clock.now)
        guard let error = answer.object("error") else { return }
        throw RelayFault(.rejected, subject: subject(name), error.string("description") ?? "the note was rejected")
    }
}
