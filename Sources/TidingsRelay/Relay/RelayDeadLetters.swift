struct RelayDeadLetters: Sendable {
    let context: RelayContext
    let connection: RelayConnection
    let sender: RelaySender
    let routes: [ActiveRoute]

    func list(of stream: String?) async throws(RelayFault) -> [DeadLetter] {
        if let stream {
            try Subjects.checkWord(stream, "the name of a stream")
            return try await read(stream, DeadLetter.subject(context.options.subjectPrefix, stream) + ".>")
        }
        var letters: [DeadLetter] = []
        let readings = routes.compactMap(\.reading)
        for reading in readings { letters += try await read(reading.stream, reading.deadLetterSubject) }
        if !readings.isEmpty { return letters }
        for route in routes {
            guard let stream = route.stream else { continue }
            let own = SubjectPattern(route.everything)
            letters += try await list(of: stream).filter { own.contains($0.subject) }
        }
        return letters
    }

    func redrive(_ letters: [DeadLetter]) async throws(RelayFault) -> Int {
        var count = 0
        for letter in letters {
            let (stream, number) = ("\(letter.stream)_DEAD", letter.number)
            let answer = try await connection.service().ask("STREAM.MSG.GET.\(stream)", #"{"seq":\#(number)}"#)
            guard let kept = answer?.object("message").flatMap(StoredMessage.init)?.message else { continue }
            let identity = context.streamIdentities.identity("redriven \(letter.stream) \(number)", isChosen: false)
            let back = letter.redriven(try await content(of: letter, kept), identity: identity)
            _ = try await sender.store(back, in: Destination(stream: letter.stream))
            let request = #"{"seq":\#(number),"no_erase":true}"#
            // If two relays redrive a letter, the stream drops the second copy, and only one relay counts the letter.
            if try await connection.service().ask("STREAM.MSG.DELETE.\(stream)", request) != nil { count += 1 }
        }
        return count
    }

    private func content(of letter: DeadLetter, _ kept: RelayMessage) async throws(RelayFault) -> RelayMessage {
        if !DeadLetter.isWithoutContent(kept) { return kept }
        let request = #"{"seq":\#(letter.sequence)}"#
        let answer = try await connection.service().ask("STREAM.MSG.GET.\(letter.stream)", request)
        guard let message = answer?.object("message").flatMap(StoredMessage.init)?.message, letter.isOf(message) else {
            throw RelayFault(
                .rejected, subject: letter.subject, id: letter.notificationID,
                "the dead letter has no content, and \(letter.stream) no longer has the notification")
        }
        return message
    }

    /// Reads dead letters. Each request returns one letter, so several tasks send requests, each for its own range.
    private func read(_ stream: String, _ subject: String) async throws(RelayFault) -> [DeadLetter] {
        let state = try await connection.service().ask("STREAM.INFO.\(stream)_DEAD")?.object("state")
        guard let first = state?.number("first_seq"), let last = state?.number("last_seq"),
            let count = state?.number("messages"), count > 0, first <= last
        else { return [] }
        let most = last - first + 1
        // The last request of each task finds no letter, so a small number of letters is read by few tasks.
        let readers = min(64, max(1, count / 4))
        let size = (most + readers - 1) / readers
        let ranges = stride(from: first, through: last, by: size).map { $0...min(last, $0 + size - 1) }
        return try await atOnce(ranges) { range throws(RelayFault) in try await self.read(stream, subject, in: range) }
            .flatMap { $0 }
    }

    private func read(
        _ stream: String, _ subject: String, in range: ClosedRange<Int>
    ) async throws(RelayFault) -> [DeadLetter] {
        var letters: [DeadLetter] = []
        var next = range.lowerBound
        while next <= range.upperBound {
            let request = #"{"seq":\#(next),"next_by_subj":\#(JSONText.string(subject))}"#
            guard let answer = try await connection.service().ask("STREAM.MSG.GET.\(stream)_DEAD", request),
                let message = answer.object("message").flatMap(StoredMessage.init),
                message.sequence <= UInt64(range.upperBound)
            else { break }
            if let letter = DeadLetter(message, prefix: context.options.subjectPrefix, stream: stream) {
                letters.append(letter)
            }
            next = Int(message.sequence) + 1
        }
        return letters
    }
}
