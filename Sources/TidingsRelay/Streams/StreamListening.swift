import TidingsWire

// A server that changes the subjects of one stream for several programs at once may say that a stream has a subject, and not listen to it.
// nats-server 2.9 does that until it is restarted, or the subject is taken from the stream and given back.

extension StreamService {
    /// Sees to it that a stream takes messages of a subject that it has.
    ///
    /// Other programs may do the same at this moment, so each waits for a random time before it tries again.
    func provideListener(to subject: String, _ stream: String) async throws(RelayFault) {
        var pauses = Backoff(from: .milliseconds(200), to: .seconds(2))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<8 {
            if try await isHeard(subject) { return }
            try await giveBack(subject, to: stream)
            do { try await clock.sleep(for: pauses.next(using: &generator)) } catch { return }
        }
    }

    /// Whether a stream listens to a subject: one that is asked to store something as another stream refuses it.
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

    /// Takes the patterns of a subject from a stream, and gives them back.
    private func giveBack(_ subject: String, to stream: String) async throws(RelayFault) {
        func subjects() async throws(RelayFault) -> (config: JSONMembers, stored: [String])? {
            guard let config = try await ask("STREAM.INFO.\(stream)")?.object("config"),
                let stored = config.strings("subjects")
            else { return nil }
            return (config, stored)
        }
        guard let (config, stored) = try await subjects() else { return }
        let taken = stored.filter { SubjectPattern($0).contains(subject) }
        // No other stream has this one: a stream has some subject.
        let stand = "_tidings.\(stream)"
        let left = stored.filter { !taken.contains($0) }
        _ = try await ask(
            "STREAM.UPDATE.\(stream)",
            config.replacing("subjects", with: JSONText.strings(left.isEmpty ? [stand] : left)))
        guard let (changed, others) = try await subjects() else { return }
        let all = taken + others.filter { $0 != stand && !taken.contains($0) }
        _ = try await ask("STREAM.UPDATE.\(stream)", changed.replacing("subjects", with: JSONText.strings(all)))
    }
}
