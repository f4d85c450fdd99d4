import Tidings

extension NotificationRelay {
    /// The dead letters: durable notifications that are kept, and delivered no more.
    ///
    /// - Parameter stream: The stream whose dead letters are meant, of all its consumers, also of other programs; `nil` for those of the
    ///   consumers of this relay.
    /// - Returns: The dead letters, the oldest of each stream first.
    /// - Throws: A fault if there is no connection, or the server refuses.
    public func deadLetters(of stream: String? = nil) async throws(RelayFault) -> [DeadLetter] {
        var letters: [DeadLetter] = []
        if let stream {
            try Subjects.checkWord(stream, "the name of a stream")
            try await readDeadLetters(stream, DeadLetter.subject(options.subjectPrefix, stream) + ".>", into: &letters)
        }
        for reading in stream == nil ? routes.compactMap(\.reading) : [] {
            try await readDeadLetters(reading.stream, reading.deadLetterSubject, into: &letters)
        }
        return letters
    }

    /// Sends dead letters back to the consumers that gave them up: all those of this relay's consumers.
    ///
    /// - Returns: How many were sent back.
    /// - Throws: A fault if there is no connection, or the server refuses; what was not sent back stays.
    @discardableResult
    public func redrive() async throws(RelayFault) -> Int { try await redrive(deadLetters()) }

    /// Sends dead letters back to the consumers that gave them up.
    ///
    /// Each is stored in its stream once more, at the end, for the consumer that gave it up; other consumers of this package pass it over.
    /// It is delivered as often as a new one is. A letter is removed when its stream has it.
    ///
    /// - Parameter letters: The dead letters, as ``deadLetters(of:)`` returns them, all or chosen.
    /// - Returns: How many were sent back; one that somebody else has sent back meanwhile does not count.
    /// - Throws: A fault if there is no connection, or the server refuses; what was not sent back stays.
    @discardableResult
    public func redrive(_ letters: [DeadLetter]) async throws(RelayFault) -> Int {
        var count = 0
        for letter in letters {
            let stream = "\(letter.stream)_DEAD"
            guard
                let answer = try await service().ask("STREAM.MSG.GET.\(stream)", #"{"seq":\#(letter.number)}"#),
                let message = answer.object("message").flatMap(StoredMessage.init)
            else { continue }
            let result: Result<UInt64, RelayFault> = await withCheckedContinuation { continuation in
                let place = StoredRoute(of: letter.stream)
                if append(letter.redriven(message), to: place, { continuation.resume(returning: $0) }) { return }
                continuation.resume(
                    returning: .failure(
                        RelayFault(.outboxFull, subject: letter.subject, "\(waitingCount) notifications wait")))
            }
            _ = try result.get()
            _ = try await service().ask("STREAM.MSG.DELETE.\(stream)", #"{"seq":\#(letter.number),"no_erase":true}"#)
            count += 1
        }
        return count
    }

    private func readDeadLetters(
        _ stream: String, _ subject: String, into letters: inout [DeadLetter]
    ) async throws(RelayFault) {
        var next: UInt64 = 1
        while true {
            let request = #"{"seq":\#(next),"next_by_subj":\#(JSONText.string(subject))}"#
            guard let answer = try await service().ask("STREAM.MSG.GET.\(stream)_DEAD", request),
                let message = answer.object("message").flatMap(StoredMessage.init)
            else { return }
            if let letter = DeadLetter(message, prefix: options.subjectPrefix, stream: stream) {
                letters.append(letter)
            }
            next = message.sequence + 1
        }
    }
}
