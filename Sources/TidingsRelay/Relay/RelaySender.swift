final class RelaySender: Sendable {
    let context: RelayContext
    private let connection: RelayConnection
    let events: EventMaker
    let buffer: Performer<SendBuffer>
    let transients: Lock<TransientQueue>
    private let stored: [ObjectIdentifier: Destination]
    private let sharedTypes: Set<ObjectIdentifier>
    private let hasTable: Bool

    init(_ context: RelayContext, _ connection: RelayConnection, _ routes: [ActiveRoute], hasTable: Bool) {
        self.context = context
        self.connection = connection
        self.hasTable = hasTable
        events = EventMaker(context, routes)
        sharedTypes = Set(routes.filter { $0.route.group != nil }.map(\.route.typeID))
        stored = Dictionary(
            routes.compactMap { route in route.destination.map { (route.route.typeID, $0) } }
        ) { first, _ in first }
        buffer = Self.makeBuffer(context, connection, stored: routes.flatMap(\.storedPatterns))
        transients = Lock(
            TransientQueue(
                limit: context.options.transientLimit, byteLimit: context.options.transientByteLimit,
                dropsOldest: context.options.transientPolicy == .dropOldest))
    }

    private static func makeBuffer(
        _ context: RelayContext, _ connection: RelayConnection, stored: [SubjectPattern]
    ) -> Performer<SendBuffer> {
        let (options, clock) = (context.options, context.clock)
        let machine = SendBuffer(
            .init(
                limit: options.sendBufferLimit, byteLimit: options.sendBufferByteLimit,
                dropsOldest: options.sendBufferPolicy == .dropOldest, window: options.publishingWindow,
                patience: .seconds(5), permissionTimeout: options.permissionTimeout))
        return Performer(machine) { performer, action in
            switch action {
            case .send(let link, let message, let number):
                guard let fault = link.publish(message).fault(of: message, allowed: link.maximumPayload) else { return }
                performer.update { $0.answer(number, .failure(fault), at: clock.now) }
            case .settle(let settle, let result): settle(result)
            case .resume(let continuation): continuation.resume()
            case .report(let fault): context.report(fault)
            case .missStream(let link, let message, let stream, let number):
                let fault = RelayFault(.rejected, "no stream stores this subject").about(message)
                if stored.contains(where: { $0.contains(message.subject) }) {
                    context.report(fault)
                    connection.miss(message.subject, of: stream)
                    // The setup of the next link creates the stream, or adds the subject to it if it exists.
                    link.close()
                } else {
                    // No route stores this subject. The message fails now, because retries would block all others.
                    performer.update { $0.answer(number, .failure(fault), at: clock.now) }
                }
            }
        }
    }

    var maximumPayload: Int { connection.maximumPayload }

    var unsent: (count: Int, bytes: Int) { buffer.update { ($0.count, $0.bytes) } }

    func publish<N: RemoteNotification>(
        _ notification: N, _ id: String?, _ headers: [String: String], postsLocally: Bool
    ) async throws(RelayFault) -> UInt64 {
        let identity = try id.map { text throws(RelayFault) in
            guard let identity = Identity(text) else {
                throw RelayFault(.invalidName, id: text, "an identity has 1 to 255 letters, digits, '-', '_' and '.'")
            }
            return identity
        }
        let message = try events.durable(notification, identity, headers, atMost: connection.maximumPayload)
        let type = ObjectIdentifier(N.self)
        while !connection.isOver.isSet {
            await waitForRoom(message)
            let result: Result<UInt64, RelayFault>? = await withCheckedContinuation { continuation in
                if append(message, to: stored[type] ?? Destination(), { continuation.resume(returning: $0) }) {
                    if postsLocally, !sharedTypes.contains(type) { _ = context.center.postToOthers(notification) }
                } else {
                    // Another message has used the free space, so the loop waits again.
                    continuation.resume(returning: nil)
                }
            }
            if let result { return try result.mapError(context.reports.named).get() }
        }
        throw RelayFault(.stopped, "the relay has ended")
    }

    func store(_ message: RelayMessage, in place: Destination) async throws(RelayFault) -> UInt64 {
        let result: Result<UInt64, RelayFault> = await withCheckedContinuation { continuation in
            if append(message, to: place, { continuation.resume(returning: $0) }) { return }
            continuation.resume(returning: .failure(isFull(message)))
        }
        return try result.get()
    }

    func waitForRoom(_ message: RelayMessage, in run: TableRun? = nil) async {
        let size = message.subject.utf8.count + message.size
        await withCheckedContinuation { continuation in
            buffer.update { buffer in
                // A run is released before its rows are withdrawn. A continuation that is added after the withdrawal
                // would never be resumed.
                if run?.isReleased == true { return buffer.actions.append(.resume(continuation)) }
                buffer.waitForRoom(size, continuation)
            }
        }
    }

    func isFull(_ message: RelayMessage) -> RelayFault {
        RelayFault(.sendBufferFull, "\(unsent.count.waitingNotifications) to be stored").about(message)
    }

    func append(
        _ message: RelayMessage, to place: Destination, isAwaited: Bool = true, _ settle: @escaping SendBuffer.Settle
    ) -> Bool {
        buffer.update { buffer in
            buffer.append(
                to: place, isAwaited: isAwaited, at: context.clock.now,
                { number in
                    var message = message
                    message.reply = connection.inbox + String(number)
                    return message
                }, settle: settle)
        }
    }

    func observe<N: RemoteNotification>(_ type: N.Type, isDurable: Bool) {
        context.center.observe(type) { [weak self] note in
            guard let self else { return }
            if isDurable { sendDurable(note) } else { sendTransient(note) }
        }
    }

    func sendDurable<N: RemoteNotification>(_ notification: N) {
        if context.center.isEcho(notification, hasTable: hasTable) { return }
        let hold = DeliveryHold(for: .init(of: N.self, .inPost, from: context.center.place))
        let settle: SendBuffer.Settle = { [context] result in
            guard case .failure(let fault) = result else {
                hold?.end()
                return
            }
            context.report(fault)
            hold?.end(error: context.reports.named(fault))
        }
        do throws(RelayFault) {
            let message = try events.durable(notification, atMost: connection.maximumPayload)
            let place = stored[ObjectIdentifier(N.self)] ?? Destination()
            if !append(message, to: place, isAwaited: hold != nil, settle) { throw isFull(message) }
        } catch { settle(.failure(error)) }
    }

    func sendTransient<N: RemoteNotification>(_ notification: N) {
        if context.center.isEcho(notification, hasTable: false) { return }
        do throws(RelayFault) {
            let message = try events.make(notification, atMost: connection.maximumPayload).message
            switch transients.withLock({ $0.append(message) }) {
            case .link(let link): try send(message, over: link)
            case .queue: break
            case .nowhere(let left):
                for message in left {
                    let words = "there is no connection, and the buffer is full"
                    context.report(RelayFault(.sendBufferFull, subject: message.subject, words))
                }
            }
        } catch { context.report(error) }
    }

    private func send(_ message: RelayMessage, over link: any Link) throws(RelayFault) {
        if link.backlog > context.options.backlogLimit {
            throw RelayFault(.sendBufferFull, subject: message.subject, "too many bytes wait for a slow server")
        }
        if let fault = link.publish(message).fault(of: message, allowed: link.maximumPayload) { throw fault }
    }

    func connect(_ link: any Link, streams: [String: StoredMessages.Stream]) {
        buffer.update { $0.connect(link, streams: streams, at: context.clock.now) }
        transients.withLock { $0.connect(link) }
        while let message = transients.withLock({ $0.next(for: link) }) {
            do throws(RelayFault) { try send(message, over: link) } catch { context.report(error) }
        }
    }

    func disconnect() {
        buffer.update { $0.disconnect() }
        transients.withLock { $0.disconnect() }
    }

    func tick() { buffer.update { $0.tick(at: context.clock.now) } }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in buffer.update { $0.waitForEnd(continuation) } }
    }

    func giveUp() {
        buffer.update { $0.close(RelayFault(.stopped, "the relay ended before the notification was stored")) }
        for message in transients.withLock({ $0.takeWaiting() }) {
            context.report(
                RelayFault(.stopped, subject: message.subject, "the relay ended before the notification was sent"))
        }
    }

    func deny(_ subject: String?, _ detail: String) {
        let fault = RelayFault(.permissionDenied, subject: subject, detail)
        // If the buffer contains durable messages with this subject, the buffer reports the fault.
        let isDurable = subject.map { subject in buffer.update { $0.deny(subject, fault, at: context.clock.now) } }
        if isDurable != true { context.report(fault) }
    }

    func fail(_ message: RelayMessage, _ outcome: PublishingOutcome) {
        guard let fault = outcome.fault(of: message, allowed: connection.maximumPayload) else { return }
        if let reply = message.reply, reply.hasPrefix(connection.inbox),
            let number = UInt64(reply.dropFirst(connection.inbox.count))
        {
            buffer.update { $0.answer(number, .failure(fault), at: context.clock.now) }
        } else {
            context.report(fault)
        }
    }

    func take(_ answer: StreamAnswer, to number: UInt64) {
        let now = context.clock.now
        buffer.update { buffer in
            switch answer {
            case .stored(let sequence, let isDuplicate):
                buffer.answer(number, .success(sequence), isDuplicate: isDuplicate, at: now)
            case .refused(let fault): buffer.answer(number, .failure(fault), at: now)
            case .postponed(let reason, let fault): buffer.postpone(number, reason, fault, at: now)
            }
        }
    }
}

extension PublishingOutcome {
    /// Returns the reason why a message will never be sent, or `nil` if it was sent or the link has ended.
    func fault(of message: RelayMessage, allowed limit: Int) -> RelayFault? {
        switch self {
        case .accepted, .ended: nil
        case .tooLarge:
            RelayFault(.payloadTooLarge, subject: message.subject, "\(message.size) bytes, and the limit is \(limit)")
        case .impossible(let detail): RelayFault(.rejected, subject: message.subject, detail)
        }
    }
}
