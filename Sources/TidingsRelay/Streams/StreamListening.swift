// If several programs change the subjects of a stream at the same time, a server may list a subject but not listen to
// it. In nats-server 2.9, that lasts until the server restarts, or the subject is removed and added again.

extension StreamService {
    /// Makes a stream listen to a subject. The pauses are random, because other programs may try at the same time.
    func provideListener(to subject: String, _ stream: String) async throws(RelayFault) {
        var pauses = Backoff(from: .milliseconds(200), to: .seconds(2))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<8 {
            if try await isHeard(subject) { return }
            try await giveBack(subject, to: stream)
            do { try await clock.sleep(for: pauses.next(using: &generator)) } catch { return }
        }
    }

    /// Whether a stream listens to a subject. The request names a wrong stream, so a stream that listens rejects it.
    private func isHeard(_ subject: String) async throws(RelayFault) -> Bool {
        do throws(RelayFault) {
            let headers = [RelayMessage.Header("Nats-Expected-Stream", "-")]
            _ = try await questions.ask(link, subject, "", headers: headers, at: clock.now)
            return true
        } catch {
            if error.kind == .connectionLost { throw error }
            return !error.detail.hasPrefix(Questions.nobody)
        }
    }

    private func giveBack(_ subject: String, to stream: String) async throws(RelayFault) {
        func subjects() async throws(RelayFault) -> (config: JSONMembers, stored: [String])? {
            guard let config = try await ask("STREAM.INFO.\(stream)")?.object("config"),
                let stored = config.strings("subjects")
            else { return nil }
            return (config, stored)
        }
        guard let (config, stored) = try await subjects() else { return }
        let taken = stored.filter { SubjectPattern($0).contains(subject) }
        // A stream must have at least one subject.
        let stand = Self.reserved(stream)
        let left = stored.filter { !taken.contains($0) }
        _ = try await ask(
            "STREAM.UPDATE.\(stream)",
            config.replacing([("subjects", JSONText.strings(left.isEmpty ? [stand] : left))]))
        guard let (changed, others) = try await subjects() else { return }
        let all = taken + others.filter { $0 != stand && !taken.contains($0) }
        _ = try await ask("STREAM.UPDATE.\(stream)", changed.replacing([("subjects", JSONText.strings(all))]))
    }
}
