import Tidings

extension NotificationRelay {
    /// The dead letters: durable notifications that are kept, and delivered no more.
    ///
    /// A tool that looks after them has durable routes that go out, and none that comes in: these make no consumer, and it lists the letters
    /// of all consumers.
    ///
    /// - Parameter stream: The stream whose dead letters are meant, of all its consumers, also of other programs; `nil` for those of the
    ///   consumers of this relay, or if it has none, for all of the types of its durable routes.
    /// - Returns: The dead letters, the oldest of each stream first.
    /// - Throws: A fault if there is no connection, or the server refuses.
    public func deadLetters(of stream: String? = nil) async throws(RelayFault) -> [DeadLetter] {
        if let stream {
            try Subjects.checkWord(stream, "the name of a stream")
            return try await readDeadLetters(stream, DeadLetter.subject(options.subjectPrefix, stream) + ".>")
        }
        var letters: [DeadLetter] = []
        let readings = routes.compactMap(\.reading)
        for reading in readings { letters += try await readDeadLetters(reading.stream, reading.deadLetterSubject) }
        if !readings.isEmpty { return letters }
        for route in routes {
            guard let stream = route.stream else { continue }
            let own = SubjectPattern(route.everything)
            letters += try await deadLetters(of: stream).filter { own.contains($0.subject) }
        }
        return letters
    }

    /// Sends dead letters back to the consumers that gave them up: all that ``deadLetters(of:)`` returns without a stream.
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

    /// Reads letters of a stream, up to the last that there is now. The server is asked for one at a time, the next of some subject behind a
    /// number; so there are many readers, each with a part of the numbers.
    private func readDeadLetters(_ stream: String, _ subject: String) async throws(RelayFault) -> [DeadLetter] {
        let state = try await service().ask("STREAM.INFO.\(stream)_DEAD")?.object("state")
        guard let first = state?.number("first_seq"), let last = state?.number("last_seq"),
            let count = state?.number("messages"), count > 0, first <= last
        else { return [] }
        let most = last - first + 1
        // For a few letters, a few readers: each asks once more than it finds.
        let readers = min(64, max(1, count / 4))
        let size = (most + readers - 1) / readers
        let ranges = stride(from: first, through: last, by: size).map { $0...min(last, $0 + size - 1) }
        return try await atOnce(ranges) { range throws(RelayFault) in
            try await self.readDeadLetters(stream, subject, in: range)
        }
        .flatMap { $0 }
    }

    private func readDeadLetters(
        _ stream: String, _ subject: String, in range: ClosedRange<Int>
    ) async throws(RelayFault) -> [DeadLetter] {
        var letters: [DeadLetter] = []
        var next = range.lowerBound
        while next <= range.upperBound {
            let request = #"{"seq":\#(next),"next_by_subj":\#(JSONText.string(subject))}"#
            guard let answer = try await service().ask("STREAM.MSG.GET.\(stream)_DEAD", request),
                let message = answer.object("message").flatMap(StoredMessage.init),
                message.sequence <= UInt64(range.upperBound)
            else { break }
            if let letter = DeadLetter(message, prefix: options.subjectPrefix, stream: stream) {
                letters.append(letter)
            }
            next = Int(message.sequence) + 1
        }
        return letters
    }
}
