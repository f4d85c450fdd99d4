/// What a relay asks of the server that keeps streams: that the streams and the consumers of its routes exist.
struct StreamService: Sendable {
    let link: any Link
    let questions: Questions
    /// From which each question has its time to be answered, however many are asked one after the other.
    let clock: ElapsedClock

    /// Makes a stream, or adds subjects to the one that is there.
    ///
    /// Programs that start at the same moment ask for the same stream: what is not found may have been made when this one makes it, and
    /// what this one has added may be gone by what another one adds. So it is looked at again, a few times.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - subjects: What it has to store.
    ///   - retention: How long it keeps messages, which a stream that is there gets, too; `nil` for the standard, which only a new one gets.
    ///   - replicas: On how many servers a new stream is stored.
    ///   - duplicateWindow: For how long a new stream knows the identities that it has.
    ///   - keepsLast: Whether a new stream keeps only the last message of each subject.
    /// - Throws: A fault if the server refuses, or does not answer.
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
                // The server refuses a window that is longer than messages last.
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
                    // If it is still not there, the server has meant this one.
                    refusal = error
                    // A server reserves the bytes. One that has less has a limit of its own, which holds as well.
                    if retention == nil, given.bytes != nil, error.detail.contains("insufficient") {
                        given.bytes = nil
                        refusal = nil
                    }
                    continue
                }
            }
            guard let config = found.object("config"), let stored = config.strings("subjects") else {
                throw RelayFault(.rejected, subject: name, "the server's description of the stream is not understood")
            }
            let missing = subjects.filter { subject in !stored.contains { SubjectPattern($0).contains(subject) } }
            var changes = (retention?.members ?? []).filter { member in
                config[member.name].map { String(decoding: $0, as: UTF8.self) } != member.value
            }
            if let age = retention?.age?.nanoseconds, let window = config.number("duplicate_window"), window > age {
                changes.append(("duplicate_window", "\(age)"))
            }
            if missing.isEmpty, changes.isEmpty { return }
            // All else stays as it is, also what this program does not know of.
            var wanted = config.replacing("subjects", with: JSONText.strings(stored + missing))
            for change in changes {
                if let members = try? JSONMembers(Array(wanted.utf8)) {
                    wanted = members.replacing(change.name, with: change.value)
                }
            }
            _ = try await ask("STREAM.UPDATE.\(name)", wanted)
        }
        throw RelayFault(.rejected, subject: name, "other programs change the subjects of the stream all the time")
    }

    /// Asks the server.
    ///
    /// - Returns: Its answer; `nil` if there is no such thing.
    func ask(_ request: String, _ body: String = "") async throws(RelayFault) -> JSONMembers? {
        let subject = "$JS.API.\(request)"
        let answer = try await questions.ask(link, subject, body, at: clock.now)
        guard let error = answer.object("error") else { return answer }
        let code = error.number("code") ?? 0
        let words = error.string("description") ?? ""
        // To remove a message that somebody else has removed is an error 500 of the server.
        if code == 404 || words == "no message found" { return nil }
        throw RelayFault(.rejected, subject: subject, "\(code) \(words)")
    }
}

/// Subjects that a pattern stands for: `*` is any part, and `>` is all that follow.
package struct SubjectPattern: Sendable {
    private let parts: [Substring]

    package init(_ text: String) { parts = text.split(separator: ".", omittingEmptySubsequences: false) }

    /// Whether everything that another pattern, or subject, stands for is among it.
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
