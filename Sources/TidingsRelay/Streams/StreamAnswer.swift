/// What a stream answers to a message that it is to store.
enum StreamAnswer: Sendable {
    case stored(UInt64)
    case refused(RelayFault)
    /// It cannot take the message now.
    case postponed(StreamPauses.Reason, RelayFault)

    /// The server's numbers for: storing failed as a limit is reached, and no storage is left.
    private static let full: Set<Int> = [10_077, 10_047, 10_023, 10_028]

    /// The server's number for a message that is larger than the stream allows.
    private static let large = 10_054

    init(_ message: RelayMessage) {
        // Nobody has the stream: it has not been loaded yet, or chooses a new leader.
        if message.header("Status") != nil {
            self = .postponed(.absent, RelayFault(.rejected, "no stream takes it"))
            return
        }
        do throws(JSONMembers.Malformed) {
            let answer = try JSONMembers(message.bytes)
            guard let error = answer.object("error") else {
                self = .stored(UInt64(clamping: answer.number("seq") ?? 0))
                return
            }
            // What the server cannot do now, it can do later; what is full is said by numbers of their own.
            let (code, detail) = (error.number("err_code") ?? 0, error.string("description") ?? "")
            let isFull = Self.full.contains(code) || detail.contains("maximum") && code != Self.large
            let fault = RelayFault(isFull ? .streamFull : code == Self.large ? .payloadTooLarge : .rejected, detail)
            self =
                isFull || error.number("code") == 503
                ? .postponed(isFull ? .full : .absent, fault) : .refused(fault)
        } catch { self = .refused(RelayFault(.rejected, "the answer of the stream is not understood: \(error)")) }
    }
}
