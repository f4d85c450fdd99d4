struct StreamService: Sendable {
    let link: any Link
    let questions: Questions
    let clock: ElapsedClock

    /// A subject that belongs only to this stream, and to which nobody publishes.
    static func reserved(_ stream: String) -> String { "_tidings.\(stream)" }

    /// Creates a stream, or adds missing subjects to it. With `retention`, an existing stream gets this retention.
    /// Another program may do this at the same time, so the stream is checked several times.
    func provideStream(
        _ name: String, _ subjects: [String], retention: StreamRetention?, replicas: Int, duplicateWindow: Duration,
        keepsLast: Bool = false
    ) async throws(RelayFault) -> StoredMessages.Stream {
        var refusal: RelayFault?
        var given = retention ?? .standard
        for _ in 0..<8 {
            guard let found = try await ask("STREAM.INFO.\(name)") else {
                if let refusal { throw refusal }
                let limits = given.members.map { ",\(JSONText.string($0.name)):\($0.value)" }.joined()
                // The server rejects a duplicate window that is longer than the maximum age of messages.
                let window = min(duplicateWindow, given.age ?? duplicateWindow)
                let last = keepsLast ? #","max_msgs_per_subject":1"# : ""
                // If two programs create a stream at the same time, nats-server before 2.9.16 creates two and keeps
                // one, unless their subjects overlap (nats-server pull request 4013). So all programs include one
                // common subject.
                let all = subjects + [Self.reserved(name)]
                let config = """
                    {"name":\(JSONText.string(name)),"subjects":\(JSONText.strings(all)),"storage":"file",\
                    "num_replicas":\(replicas),"duplicate_window":\(window.nanoseconds)\(limits)\(last)}
                    """
                do {
                    let created = try await ask("STREAM.CREATE.\(name)", config)
                    return StoredMessages.Stream(created)
                } catch {
                    refusal = error
                    // If the server can't reserve that many bytes, the stream is created without a byte limit.
                    if retention == nil, given.bytes != nil, error.detail.contains("insufficient") {
                        given.bytes = nil
                        refusal = nil
                    }
                    continue
                }
            }
            guard let config = found.object("config"), let stored = config.strings("subjects") else {
                throw RelayFault(.rejected, subject: name, "the server's description of the stream cannot be read")
            }
            let missing = subjects.filter { subject in !stored.contains { SubjectPattern($0).contains(subject) } }
            var changes = (retention?.members ?? []).filter { member in
                config[member.name].map { String(decoding: $0, as: UTF8.self) } != member.value
            }
            if let age = retention?.age?.nanoseconds, let window = config.number("duplicate_window"), window > age {
                changes.append(("duplicate_window", "\(age)"))
            }
            if missing.isEmpty, changes.isEmpty { return StoredMessages.Stream(found) }
            // All other settings stay unchanged, even those that this program doesn't know.
            changes.append(("subjects", JSONText.strings(stored + missing)))
            _ = try await ask("STREAM.UPDATE.\(name)", config.replacing(changes))
        }
        throw RelayFault(.rejected, subject: name, "other programs keep changing the subjects of the stream")
    }

    /// Sends a request to JetStream. Returns `nil` if the requested object doesn't exist.
    func ask(_ request: String, _ body: String = "") async throws(RelayFault) -> JSONMembers? {
        let subject = "$JS.API.\(request)"
        let answer = try await questions.ask(link, subject, body, at: clock.now)
        guard let error = answer.object("error") else { return answer }
        let code = error.number("code") ?? 0
        let words = error.string("description") ?? ""
        // The server responds with error 500 if the message to remove doesn't exist.
        if code == 404 || words == "no message found" { return nil }
        throw RelayFault(.rejected, subject: subject, "\(code) \(words)")
    }
}

/// A pattern of subjects. `*` stands for any one token, and `>` for one or more tokens at the end.
package struct SubjectPattern: Sendable {
    private let parts: [Substring]

    package init(_ text: String) { parts = text.split(separator: ".", omittingEmptySubsequences: false) }

    /// Whether the pattern matches a subject, or all subjects that another pattern matches.
    package func contains(_ other: String) -> Bool {
        let others = other.split(separator: ".", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part == ">" { return index < others.count }
            guard index < others.count, others[index] != ">" else { return false }
            if part != "*", part != others[index] { return false }
        }
        return parts.count == others.count
    }
}

extension StoredMessages.Stream {
    fileprivate init(_ description: JSONMembers?) {
        let window = description?.object("config")?.number("duplicate_window") ?? 0
        self.init(duplicateWindow: .nanoseconds(window), created: description?.string("created"))
    }
}
