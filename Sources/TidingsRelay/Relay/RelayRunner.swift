final class RelayRunner: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection
    private let sender: RelaySender
    private let receiver: RelayReceiver
    private let lag: RelayLag
    private let table: TableSending?
    private let routes: [ActiveRoute]
    private let hasRun = Flag()
    private let hasEnded = Flag()

    init(
        _ context: RelayContext, _ connection: RelayConnection, _ sender: RelaySender, _ receiver: RelayReceiver,
        _ lag: RelayLag, _ table: TableSending?, _ routes: [ActiveRoute]
    ) {
        self.context = context
        self.connection = connection
        self.sender = sender
        self.receiver = receiver
        self.lag = lag
        self.table = table
        self.routes = routes
    }

    func run() async {
        let isFirst = hasRun.set()
        precondition(isFirst, "a relay can only run once")
        table?.noteRun()
        await withTaskGroup { group in
            group.addTask { await self.keepConnected() }
            group.addTask { await self.keepTime() }
            await connection.isOver.wait()
            // This line is also reached if the task was cancelled.
            connection.isOver.set()
            group.cancelAll()
            connection.close()
        }
        end()
    }

    private func end() {
        connection.end()
        context.center.stopObserving()
        giveUp()
        connection.questions.fail()
        connection.isReady.set()
        guard hasEnded.set() else { return }
        context.reports.tick(isLast: true)
        lag.tellKnown()
        context.tell(.ended)
    }

    private func keepTime() async {
        let heartbeat = Heartbeat(every: context.options.acknowledgementTime / 4) { [receiver] in receiver.keepAlive() }
        defer { withExtendedLifetime(heartbeat) {} }
        while (try? await context.clock.sleep(for: .milliseconds(100))) != nil {
            sender.tick()
            connection.questions.tick(at: context.clock.now)
            context.reports.tick()
            lag.tick()
            table?.tick()
            receiver.tick()
        }
    }

    static let longestPause = Duration.seconds(8)

    private func keepConnected() async {
        var pauses = Backoff(from: .seconds(1), to: Self.longestPause)
        var generator = SystemRandomNumberGenerator()
        let clock = context.clock
        while !connection.isOver.isSet, !Task.isCancelled {
            do throws(RelayFault) {
                let attempt = ConnectionAttempt(connection.connector) { [weak self] in self?.take($0) }
                guard let link = try await attempt.link() else { return }
                let beginning = clock.now
                // Short connections don't reset the pauses, because a server may close each connection at once.
                defer { if clock.now - beginning >= .seconds(5) { pauses.reset() } }
                try await use(link)
                if connection.isOver.isSet || Task.isCancelled { return }
                context.report(RelayFault(.connectionLost, "the connection has ended"))
            } catch {
                if connection.isOver.isSet || Task.isCancelled { return }
                context.report(error)
            }
            try? await clock.sleep(for: pauses.next(using: &generator))
        }
    }

    private func use(_ link: any Link) async throws(RelayFault) {
        let ending = Task { [connection] in
            await link.waitForEnd()
            connection.questions.fail()
        }
        connection.begin(link)
        // Ending the relay closes the current link. If the relay ended before `begin`, this link is closed here.
        if connection.isOver.isSet { link.close() }
        let result = await setUp(link)
        var wasConnected = false
        if case .success(let setUp) = result, !connection.isOver.isSet {
            wasConnected = true
            sender.connect(link, streams: setUp.streams)
            table?.setConnected(true)
            let reading = Task { [receiver] in await receiver.read(setUp.readings, over: link) }
            // The state is posted before waiting tasks are resumed, because they may cause later state changes.
            context.tell(.connected)
            connection.isReady.set()
            await ending.value
            reading.cancel()
            await reading.value
        } else {
            link.close()
            await ending.value
        }
        if !connection.isOver.isSet { connection.isReady.clear() }
        if wasConnected { context.tell(.disconnected) }
        connection.end()
        table?.setConnected(false)
        sender.disconnect()
        receiver.disconnect()
        _ = try result.get()
    }

    private struct SetUp: Sendable {
        let subscriptions: [any AnyObject & Sendable]
        let readings: [StreamReading]
        let streams: [String: StoredMessages.Stream]
    }

    private func setUp(_ link: any Link) async -> Result<SetUp, RelayFault> {
        do throws(RelayFault) {
            let discovery = Discovery(context: context, routes: receiver.routes)
            let namesakes = Namesakes(context: context, inbox: connection.inbox)
            let answers = try link.subscribe("\(connection.inbox)*", group: nil) { [weak self] in self?.takeAnswer($0) }
            let listeners = [try namesakes.listen(over: link), try discovery.listen(over: link)]
            let service = connection.service(over: link)
            let streams = try await service.provideStreams(of: routes, context.options)
            try await connection.provideListeners(service)
            let (subscriptions, readings) = try await receiver.subscribe(over: link)
            if await !link.flush() {
                throw RelayFault(.connectionLost, "the connection ended before all subscriptions were sent")
            }
            namesakes.greet(over: link)
            return .success(
                SetUp(
                    subscriptions: [answers] + listeners.compactMap { $0 } + subscriptions, readings: readings,
                    streams: streams))
        } catch { return .failure(error) }
    }

    private func take(_ event: LinkEvent) {
        switch event {
        case .slowConsumer(let subject, let dropped):
            var fault = RelayFault(.slowConsumer, subject: subject, "notifications arrive faster than they are handled")
            fault.count = dropped
            context.report(fault)
        case .unsentTransients(let count):
            var fault = RelayFault(.connectionLost, "transient notifications were not sent")
            fault.count = count
            context.report(fault)
        case .permissionDenied(let subject, let detail): sender.deny(subject, detail)
        case .unsent(let message, let outcome): sender.fail(message, outcome)
        case .problem(let detail): context.report(RelayFault(.rejected, detail))
        }
    }

    private func takeAnswer(_ message: RelayMessage) {
        let last = message.lastPart
        if last.first == "q" {
            if let number = UInt64(last.dropFirst()) { connection.questions.answer(number, message) }
        } else if let number = UInt64(last) {
            sender.take(StreamAnswer(message), to: number)
        }
    }

    func finish(within limit: Duration) async {
        if !connection.isOver.isSet { context.tell(.finishing) }
        context.center.stopObserving()
        table?.stop()
        receiver.stop()
        let isFinished = Flag()
        // A task group would wait for the flush beyond the limit if the server accepts no data.
        Task { [receiver, sender, table, connection] in
            await receiver.waitForEnd()
            await table?.waitForEnd()
            await sender.waitForEnd()
            _ = await connection.link?.flush()
            isFinished.set()
        }
        await isFinished.wait(within: limit, context.clock)
        // This call settles the notifications that are left, which also ends the task above.
        giveUp()
        connection.isOver.set()
        if !hasRun.isSet { end() }
    }

    private func giveUp() {
        sender.giveUp()
        receiver.giveUp()
        table?.end()
    }
}

extension StreamService {
    fileprivate func provideStreams(
        of routes: [ActiveRoute], _ options: RelayOptions
    ) async throws(RelayFault) -> [String: StoredMessages.Stream] {
        var properties: [String: StoredMessages.Stream] = [:]
        var subjects: [(stream: String, subjects: [String])] = []
        func add(_ subject: String, to stream: String) {
            if let index = subjects.firstIndex(where: { $0.stream == stream }) {
                if !subjects[index].subjects.contains(subject) { subjects[index].subjects.append(subject) }
            } else {
                subjects.append((stream, [subject]))
            }
        }
        for route in routes {
            guard let stream = route.stream else { continue }
            add(route.everything, to: stream)
            if route.reading == nil { continue }
            add("\(DeadLetter.subject(options.subjectPrefix, stream)).>", to: "\(stream)_DEAD")
            add(ConsumerNotes.subjects(options.subjectPrefix, of: stream), to: ConsumerNotes.stream(of: stream))
        }
        for (stream, subjects) in subjects {
            let said = routes.first { $0.stream == stream && $0.route.retention != nil }?.route.retention
            let isOfNotes = routes.contains { $0.reading.map { ConsumerNotes.stream(of: $0.stream) } == stream }
            // The stream of `ConsumerNotes` has no limits: its few notes are needed until their program runs again.
            properties[stream] = try await provideStream(
                stream, subjects, retention: isOfNotes ? StreamRetention() : said, replicas: options.replicas,
                duplicateWindow: options.duplicateWindow, keepsLast: isOfNotes)
        }
        return properties
    }
}
