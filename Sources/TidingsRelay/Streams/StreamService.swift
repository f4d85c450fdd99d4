/// Requests to the server that keeps the streams. They ensure that the streams and consumers of a relay's routes exist.
struct StreamService: Sendable {
    let link: any Link
    let questions: Questions
    /// The clock from which each request gets its own time limit, however many are sent one after another.
    let clock: ElapsedClock

    /// Creates a stream, or adds subjects to an existing one.
    ///
    /// Programs that start at the same moment provide the same stream. A stream that wasn't found may exist when this
    /// program creates it. Another program that changes the subjects may remove those that this program added.
    /// Therefore the stream is checked again, a few times.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - subjects: The subjects that it must store.
    ///   - retention: How long it keeps messages. An existing stream gets this retention as well. With `nil`, a new
    ///     stream gets the standard one, and an existing stream keeps its own.
    ///   - replicas: The number of servers on which a new stream is stored.
    ///   - duplicateWindow: How long a new stream remembers the identities of its messages.
    ///   - keepsLast: Whether a new stream keeps only the last message of each subject.
    /// - Throws: A fault if the server rejects a request or doesn't answer.
    func provideStream(
        _ name: String, _ subjects: [String], retention: StreamRetention?, replicas: Int, duplicateWindow: Duration,
        keepsLast: Bool = false
    ) async throws(RelayFault) {
        var refusal: RelayFault?
        var given = retention ?? .standard
        for _ in 0..<8 {
            guard let found = try await ask("STREAM.INFO.\(name)") else {
                if let refusal { throw refusal }
                let limits = given.members.map { ",\(JSONText.string($0.name)):\($0.value)" }.joined()
                // The server rejects a window that is longer than the maximum age of messages.
                let window = min(duplicateWindow, given.age ?? duplicateWindow)
                let last = keepsLast ? #","max_msgs_per_subject":1"# : ""
                let config = """
                    {"name":\(JSONText.string(name)),"subjects":\(JSONText.strings(subjects)),"storage":"file",\
                    "num_replicas":\(replicas),"duplicate_window":\(window.nanoseconds)\(limits)\(last)}
                    """
                do {
                    _ = try await ask("STREAM.CREATE.\(name)", config)
                    return
                } catch {
                    // If the stream still doesn't exist, the server's rejection was about this request.
                    refusal = error
                    // A server reserves the bytes. A server with less storage has its own limit, which is sufficient.
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
            if missing.isEmpty, changes.isEmpty { return }
            // All other settings stay as they are, including those that this program doesn't know.
            var wanted = config.replacing("subjects", with: JSONText.strings(stored + missing))
            for change in changes {
                if let members = try? JSONMembers(Array(wanted.utf8)) {
                    wanted = members.replacing(change.name, with: change.value)
                }
            }
            _ = try await ask("STREAM.UPDATE.\(name)", wanted)
        }
        throw RelayFault(.rejected, subject: name, "other programs keep changing the subjects of the stream")
    }

    /// Sends a request to the server.
    ///
    /// - Returns: Its answer, or `nil` if the requested object doesn't exist.
    func ask(_ request: String, _ body: String = "") async throws(RelayFault) -> JSONMembers? {
        let subject = "$JS.API.\(request)"
        let answer = try await questions.ask(link, subject, body, at: clock.now)
        guard let error = answer.object("error") else { return answer }
        let code = error.number("code") ?? 0
        let words = error.string("description") ?? ""
        // If a message is already removed, the server answers its removal with error 500.
        if code == 404 || words == "no message found" { return nil }
        throw RelayFault(.rejected, subject: subject, "\(code) \(words)")
    }
}

/// The subjects that match a pattern: `*` stands for any one part, and `>` for all parts that follow.
package struct SubjectPattern: Sendable {
    private let parts: [Substring]

    package init(_ text: String) { parts = text.split(separator: ".", omittingEmptySubsequences: false) }

    /// Whether the pattern matches everything that another pattern or subject matches.
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
