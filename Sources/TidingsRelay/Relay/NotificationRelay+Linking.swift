import Tidings

/// What a link was set up with.
struct LinkSetUp: Sendable {
    /// They end when they are released.
    let subscriptions: [any AnyObject & Sendable]

    /// What is read from streams.
    let readings: [StreamReading]

    /// What is read from a stream, by a consumer that is there.
    struct StreamReading: Sendable {
        let reading: ActiveRoute.Reading

        /// Whether its messages come in order; those of a group do not.
        let isOrdered: Bool

        /// How many messages are outstanding that were given out before.
        let outstanding: Int
    }
}

extension NotificationRelay {
    /// Subscribes, and sees to it that the streams and consumers exist.
    func setUp(_ link: any Link) async -> Result<LinkSetUp, RelayFault> {
        do throws(RelayFault) {
            var subscriptions = [
                try link.subscribe("\(inbox)*", group: nil) { [weak self] message in self?.takeAnswer(message) }
            ]
            if let subscription = try listenForNamesakes(link) { subscriptions.append(subscription) }
            try await provideStreams(link)
            var readings: [LinkSetUp.StreamReading] = []
            let service = StreamService(link: link, questions: questions, clock: clock)
            let incoming = routes.filter { $0.route.direction != .outgoing }
            let unobserved = incoming.filter(leavesToOthers)
            state.withLock { $0.unobserved = unobserved }
            for route in incoming where !unobserved.contains(where: { $0 === route }) {
                let subject = route.reading.map { "\($0.inbox).*" } ?? route.pattern
                subscriptions.append(try subscribe(route, subject, over: link))
                guard let reading = route.reading else { continue }
                let provided = try await service.provideConsumer(
                    reading.consumer, of: reading.stream, notes: keepsPlaces ? notes(of: reading) : nil,
                    beginsAnew: route.route.taking.resumption == .stored, tellsOfSkipped: route.route.tellsOfSkipped)
                for fault in provided.faults { report(fault) }
                if let floor = provided.floor { await notePlace(floor, of: reading) }
                // What is here does not come again.
                let outstanding = provided.outstanding - reading.reader.update { $0.count }
                readings.append(
                    LinkSetUp.StreamReading(
                        reading: reading, isOrdered: route.route.group == nil, outstanding: outstanding))
            }
            if await !link.flush() { throw RelayFault(.connectionLost, "before everything was subscribed to") }
            greetNamesakes(link)
            return .success(LinkSetUp(subscriptions: subscriptions, readings: readings))
        } catch { return .failure(error) }
    }

    /// Has what comes for a route received.
    func subscribe(
        _ route: ActiveRoute, _ subject: String, over link: any Link
    ) throws(RelayFault) -> any AnyObject & Sendable {
        try link.subscribe(subject, group: route.reading == nil ? route.route.group : nil) { [weak self] message in
            guard let self else { return }
            route.route.receive(self, route, message)
        }
    }

    private func provideStreams(_ link: any Link) async throws(RelayFault) {
        var subjects: [(stream: String, subjects: [String])] = []
        func add(_ subject: String, to stream: String) {
            if let index = subjects.firstIndex(where: { $0.stream == stream }) {
                if !subjects[index].subjects.contains(subject) { subjects[index].subjects.append(subject) }
            } else {
                subjects.append((stream, [subject]))
            }
        }
        for route in routes {
            guard case .durable(let stream, _, _) = route.route.kind else { continue }
            add(route.everything, to: stream)
            if route.reading != nil {
                add("\(DeadLetter.subject(options.subjectPrefix, stream)).>", to: "\(stream)_DEAD")
                add(ConsumerNotes.subjects(options.subjectPrefix, of: stream), to: ConsumerNotes.stream(of: stream))
            }
        }
        let service = StreamService(link: link, questions: questions, clock: clock)
        for (stream, subjects) in subjects {
            let said = routes.first { $0.stream == stream && $0.route.retention != nil }?.route.retention
            let isOfNotes = routes.contains { $0.reading.map { ConsumerNotes.stream(of: $0.stream) } == stream }
            // Notes are few, and are needed for as long as a program is away.
            try await service.provideStream(
                stream, subjects, retention: isOfNotes ? StreamRetention() : said, replicas: options.replicas,
                duplicateWindow: options.duplicateWindow,
                keepsLast: isOfNotes)
        }
    }

    /// Begins to read from streams.
    ///
    /// What was given out and not acknowledged comes again when its time is up. To take anything newer before would change the
    /// order; members of a group have none.
    func read(_ readings: [LinkSetUp.StreamReading], over link: any Link) async {
        lookForObservers()
        for next in readings where !next.isOrdered || next.outstanding <= 0 {
            next.reading.reader.update { $0.connect(link, at: clock.now) }
        }
        let waiting = readings.filter { $0.isOrdered && $0.outstanding > 0 }
        if waiting.isEmpty { return }
        guard (try? await clock.sleep(for: options.acknowledgementTime + .milliseconds(200))) != nil else { return }
        for next in waiting {
            next.reading.redeliveries.update { $0.expect(next.outstanding, at: clock.now) }
            next.reading.reader.update { $0.connect(link, at: clock.now) }
        }
    }

    /// Takes what a link tells on its own.
    func take(_ event: LinkEvent) {
        switch event {
        case .slowConsumer(let subject, let dropped):
            var fault = RelayFault(.slowConsumer, subject: subject, "taken more slowly than they come")
            fault.count = dropped
            report(fault)
        case .unsentTransients(let count):
            var fault = RelayFault(.connectionLost, "transient notifications were not sent any more")
            fault.count = count
            report(fault)
        case .permissionDenied(let subject, let detail):
            let fault = RelayFault(.permissionDenied, subject: subject, detail)
            report(fault)
            // They would be sent again and again, and hold up all that follow.
            if let subject { outbox.update { $0.refuse(subject, fault, at: clock.now) } }
        case .unsent(let message, let outcome):
            guard let fault = outcome.fault(of: message, allowed: state.withLock { $0.maximumPayload }) else { return }
            // What waits to be stored is told to who waits for it.
            if let number = answerNumber(message) {
                outbox.update { $0.answer(number, .failure(fault), at: clock.now) }
            } else {
                report(fault)
            }
        case .problem(let detail): report(RelayFault(.rejected, detail))
        }
    }

    /// The number in the outbox of a message that waits for an answer; `nil` for every other message.
    private func answerNumber(_ message: RelayMessage) -> UInt64? {
        guard let reply = message.reply, reply.hasPrefix(inbox) else { return nil }
        return UInt64(reply.dropFirst(inbox.count))
    }

    /// Takes an answer: to a question, or to a message of the outbox.
    private func takeAnswer(_ message: RelayMessage) {
        let last = message.lastPart
        if last.first == "q" {
            if let number = UInt64(last.dropFirst()) { questions.answer(number, message) }
            return
        }
        guard let number = UInt64(last) else { return }
        // Nobody has the stream: it has not been loaded yet, or chooses a new leader.
        if message.header("Status") != nil {
            let fault = RelayFault(.rejected, "no stream takes it")
            return outbox.update { $0.postpone(number, .absent, fault, at: clock.now) }
        }
        let result: Result<UInt64, RelayFault>
        do throws(JSONMembers.Malformed) {
            let answer = try JSONMembers(message.bytes)
            guard let error = answer.object("error") else {
                let sequence = answer.number("seq") ?? 0
                outbox.update { $0.answer(number, .success(UInt64(clamping: sequence)), at: clock.now) }
                return
            }
            // What the server cannot do now, it can do later; what is full is said by numbers of their own.
            let (code, detail) = (error.number("err_code") ?? 0, error.string("description") ?? "")
            let isFull = fullCodes.contains(code) || detail.contains("maximum") && code != largeCode
            let fault = RelayFault(isFull ? .streamFull : code == largeCode ? .payloadTooLarge : .rejected, detail)
            if isFull || error.number("code") == 503 {
                return outbox.update { $0.postpone(number, isFull ? .full : .absent, fault, at: clock.now) }
            }
            result = .failure(fault)
        } catch { result = .failure(RelayFault(.rejected, "the answer of the stream is not understood: \(error)")) }
        outbox.update { $0.answer(number, result, at: clock.now) }
    }
}

/// The server's numbers for: storing failed as a limit is reached, and no storage is left.
private let fullCodes: Set<Int> = [10_077, 10_047, 10_023, 10_028]

/// The server's number for a message that is larger than the stream allows.
private let largeCode = 10_054
