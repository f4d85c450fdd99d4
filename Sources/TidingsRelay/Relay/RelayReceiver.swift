final class RelayReceiver: Sendable {
    private struct State {
        /// Transient routes with a group that aren't subscribed to, because their type has no observer.
        var unobserved: [ActiveRoute] = []
        var late: [any AnyObject & Sendable] = []
    }

    private let context: RelayContext
    private let connection: RelayConnection
    let handler: MessageHandler
    let routes: [ActiveRoute]
    private let state = Lock(State())

    init(_ context: RelayContext, _ connection: RelayConnection, _ sender: RelaySender, _ routes: [ActiveRoute]) {
        self.context = context
        self.connection = connection
        self.routes = routes.filter { $0.route.direction != .outgoing }
        handler = MessageHandler(context, connection, sender)
    }

    private var readings: [ActiveRoute.Reading] { routes.compactMap(\.reading) }

    func subscribe(
        over link: any Link
    ) async throws(RelayFault) -> (subscriptions: [any AnyObject & Sendable], readings: [StreamReading]) {
        let unobserved = routes.filter(leavesToOthers)
        state.withLock { $0.unobserved = unobserved }
        var subscriptions: [any AnyObject & Sendable] = []
        var readings: [StreamReading] = []
        for route in routes where !unobserved.contains(where: { $0 === route }) {
            let subject = route.reading.map { "\($0.inbox).*" } ?? route.pattern
            subscriptions.append(try subscribe(route, subject, over: link))
            guard let reading = route.reading else { continue }
            let provided = try await connection.service(over: link).provideConsumer(
                reading.consumer, of: reading.stream,
                notes: handler.settlement.places.isKept ? connection.notes(of: reading) : nil,
                beginsAnew: route.route.consumerOptions.resumption == .stored,
                tellsOfSkipped: route.route.tellsOfSkipped)
            for fault in provided.faults { context.report(fault) }
            if let floor = provided.floor { await handler.settlement.places.note(floor, of: reading) }
            let outstanding = provided.outstanding - reading.reader.update { $0.fetched.count }
            readings.append(
                StreamReading(reading: reading, isOrdered: route.route.group == nil, outstanding: outstanding))
        }
        return (subscriptions, readings)
    }

    private func subscribe(
        _ route: ActiveRoute, _ subject: String, over link: any Link
    ) throws(RelayFault) -> any AnyObject & Sendable {
        try link.subscribe(subject, group: route.reading == nil ? route.route.group : nil) { [weak handler] message in
            guard let handler else { return }
            if route.route.isDurable {
                handler.receiveDurable(route.route.type, route, message)
            } else {
                handler.receiveTransient(route.route.type, route, message)
            }
        }
    }

    /// Starts reading the streams. Without a group, new messages wait for redelivered ones, to keep the order.
    func read(_ readings: [StreamReading], over link: any Link) async {
        lookForObservers()
        let clock = context.clock
        for next in readings where !next.isOrdered || next.outstanding <= 0 {
            next.reading.reader.update { $0.connect(link, at: clock.now) }
        }
        let waiting = readings.filter { $0.isOrdered && $0.outstanding > 0 }
        if waiting.isEmpty { return }
        let pause = context.options.acknowledgementTime + .milliseconds(200)
        guard (try? await clock.sleep(for: pause)) != nil else { return }
        for next in waiting {
            next.reading.redeliveries.update { $0.expect(next.outstanding, at: clock.now) }
            next.reading.reader.update { $0.connect(link, at: clock.now) }
        }
    }

    private func leavesToOthers(_ route: ActiveRoute) -> Bool {
        route.reading == nil && route.route.group != nil && !route.route.consumerOptions.consumesUnobserved
            && !context.center.isObserved(route.route.type)
    }

    func lookForObservers() {
        for route in routes {
            guard let reading = route.reading, !reading.reader.update({ $0.isOpen }),
                context.center.isObserved(route.route.type)
            else { continue }
            reading.reader.update { $0.open(at: context.clock.now) }
        }
        guard let link = connection.link else { return }
        for route in state.withLock({ $0.unobserved }) where !leavesToOthers(route) {
            // Several threads may check at once. Only the thread that removes the route from the list subscribes.
            let isMine = state.withLock { state in
                guard let place = state.unobserved.firstIndex(where: { $0 === route }) else { return false }
                state.unobserved.remove(at: place)
                return true
            }
            guard isMine, let subscription = try? subscribe(route, route.pattern, over: link) else { continue }
            state.withLock { state in
                if connection.link === link { state.late.append(subscription) }
            }
        }
    }

    func tick() {
        lookForObservers()
        let now = context.clock.now
        for reading in readings {
            handler.settlement.places.noteIfDue(reading)
            reading.redeliveries.update { $0.tick(at: now) }
            if reading.reader.update({ $0.tick(at: now) }) {
                handler.missConsumer(reading, "the server sends nothing for the consumer")
            }
        }
    }

    func keepAlive() {
        for reading in readings { reading.reader.update { $0.keepAlive(at: context.clock.now) } }
    }

    func disconnect() {
        let late = state.withLock { state in
            defer { (state.unobserved, state.late) = ([], []) }
            return state.late
        }
        withExtendedLifetime(late) {}
        for reading in readings {
            reading.reader.update { $0.disconnect() }
            reading.redeliveries.update { $0.disconnect() }
        }
    }

    func stop() { for reading in readings { reading.reader.update { $0.stop(at: context.clock.now) } } }

    func waitForEnd() async {
        for reading in readings {
            await withCheckedContinuation { continuation in reading.reader.update { $0.waitForEnd(continuation) } }
        }
        for reading in readings { await handler.settlement.places.note(of: reading, looks: 50) }
    }

    func giveUp() { for reading in readings { reading.reader.update { $0.abandon() } } }

    func catchUp(within limit: Duration) async -> Bool {
        let end = context.clock.now + limit
        do throws(RelayFault) {
            for reading in readings {
                let stream = try await connection.service().ask("STREAM.INFO.\(reading.stream)")
                guard let last = stream?.object("state")?.number("last_seq") else { return false }
                while try await !connection.service().hasFinished(reading.consumer.name, of: reading.stream, with: last)
                {
                    if context.clock.now >= end { return false }
                    do { try await context.clock.sleep(for: .milliseconds(20)) } catch { return false }
                }
            }
            return true
        } catch { return false }
    }
}

struct StreamReading: Sendable {
    let reading: ActiveRoute.Reading
    let isOrdered: Bool
    /// The number of unacknowledged messages that were delivered earlier and that this program no longer has.
    let outstanding: Int
}

extension StreamService {
    fileprivate func hasFinished(_ consumer: String, of stream: String, with last: Int) async throws(RelayFault) -> Bool
    {
        // The relay creates a missing consumer again, which then receives all unacknowledged notifications.
        guard let found = try await ask("CONSUMER.INFO.\(stream).\(consumer)") else { return false }
        if let floor = found.object("ack_floor")?.number("stream_seq"), floor >= last { return true }
        return found.number("num_pending") == 0 && found.number("num_ack_pending") == 0
    }
}
