enum StreamAnswer: Sendable {
    case stored(UInt64, isDuplicate: Bool)
    case refused(RelayFault)
    case postponed(StreamPauses.Reason, RelayFault)

    /// The server's error codes for a limit that was reached and for exhausted storage.
    private static let full: Set<Int> = [10_077, 10_047, 10_023, 10_028]
    /// The server's error code for a message that is larger than the stream allows.
    private static let large = 10_054
    /// The server's error code for a duplicate of a message that the server has received but not stored yet.
    private static let staged = 10_158

    private static let notStoredYet = postponed(
        .absent, RelayFault(.rejected, "the stream hasn't stored an earlier copy yet"))

    init(_ message: RelayMessage) {
        // No server answers for the stream. It may not be loaded yet, or have no leader.
        if message.header("Status") != nil {
            self = .postponed(.absent, RelayFault(.rejected, "no stream stores this subject"))
            return
        }
        do throws(JSONMembers.Malformed) {
            let answer = try JSONMembers(message.bytes)
            guard let error = answer.object("error") else {
                let sequence = UInt64(clamping: answer.number("seq") ?? 0)
                // A duplicate has the number zero if the server has received its first copy but not stored it. That
                // copy is never stored if the leader fails. Newer servers respond with an error instead.
                self =
                    sequence > 0 ? .stored(sequence, isDuplicate: answer.bool("duplicate") == true) : Self.notStoredYet
                return
            }
            // Code 503 means that a later attempt may succeed. A full stream has its own error codes.
            let (code, detail) = (error.number("err_code") ?? 0, error.string("description") ?? "")
            if code == Self.staged {
                self = Self.notStoredYet
                return
            }
            let isFull = Self.full.contains(code) || detail.contains("maximum") && code != Self.large
            let fault = RelayFault(isFull ? .streamFull : code == Self.large ? .payloadTooLarge : .rejected, detail)
            self = isFull || error.number("code") == 503 ? .postponed(isFull ? .full : .absent, fault) : .refused(fault)
        } catch { self = .refused(RelayFault(.rejected, "the answer of the stream cannot be read: \(error)")) }
    }
}

struct Silence: Sendable {
    /// The time at which a message was last sent, or a response last arrived.
    var lastSign = Duration.zero
    private var oldest: (number: UInt64, since: Duration)?

    mutating func isLong(_ number: UInt64?, patience: Duration, at now: Duration) -> Bool {
        guard let known = oldest, known.number == number else {
            oldest = number.map { ($0, now) }
            return false
        }
        if now - known.since <= patience { return false }
        oldest = nil
        return true
    }
}

extension RelayFault {
    func about(_ message: RelayMessage) -> RelayFault {
        var fault = self
        fault.subject = subject ?? message.subject
        fault.id = id ?? message.header("Nats-Msg-Id")
        return fault
    }
}
