import Tidings
import TidingsWire

/// The receiving part of a relay. It receives notifications from streams and programs, posts them, and reports the
/// results to the server.
///
/// A route requests no messages while it has no observer. Its messages stay in the stream, or go to the other members
/// of its group.
final class RelayReceiver: Sendable {
    private struct State {
        /// Transient routes with a group that aren't subscribed to, because their type isn't observed.
        var unobserved: [ActiveRoute] = []
        /// The subscriptions of those of these routes that have been observed since.
        var late: [any AnyObject & Sendable] = []
    }

    private let context: RelayContext
    private let connection: RelayConnection
    private let settlement: Settlement
    let routes: [ActiveRoute]
    private let state = Lock(State())

    init(_ context: RelayContext, _ connection: RelayConnection, _ sender: RelaySender, _ routes: [ActiveRoute]) {
        self.context = context
        self.connection = connection
        self.routes = routes.filter { $0.route.direction != .outgoing }
        settlement = Settlement(context, connection, sender)
    }

    private var readings: [ActiveRoute.Reading] { routes.compactMap(\.reading) }

    // MARK: Subscribing

    /// Subscribes to the routes' subjects.
    ///
    /// - Returns: The objects that keep the subscriptions, and the streams to read.
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
                notes: settlement.places.isKept ? connection.notes(of: reading) : nil,
                beginsAnew: route.route.consumerOptions.resumption == .stored,
                tellsOfSkipped: route.route.tellsOfSkipped)
            for fault in provided.faults { context.report(fault) }
            if let floor = provided.floor { await settlement.places.note(floor, of: reading) }
            // Messages that are already here aren't redelivered.
            let outstanding = provided.outstanding - reading.reader.update { $0.count }
            readings.append(StreamReading(reading, isOrdered: route.route.group == nil, outstanding: outstanding))
        }
        return (subscriptions, readings)
    }

    private func subscribe(
        _ route: ActiveRoute, _ subject: String, over link: any Link
    ) throws(RelayFault) -> any AnyObject & Sendable {
        try link.subscribe(subject, group: route.reading == nil ? route.route.group : nil) { [weak self] message in
            guard let self else { return }
            route.route.type.receive(message, on: route, by: self)
        }
    }

    /// Starts reading from streams.
    ///
    /// Unacknowledged messages are redelivered when their time limit passes. Receiving newer messages before that would
    /// change the order. A group has no order to preserve.
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

    /// Whether transient notifications are left to the other members of a group, because they aren't observed here.
    private func leavesToOthers(_ route: ActiveRoute) -> Bool {
        route.reading == nil && route.route.group != nil && !route.route.consumerOptions.consumesUnobserved
            && !route.route.type.isObserved(in: context.center)
    }

    /// Starts receiving for routes that have been observed since the last check.
    func lookForObservers() {
        for route in routes {
            guard let reading = route.reading, !reading.reader.update({ $0.isOpen }),
                route.route.type.isObserved(in: context.center)
            else { continue }
            reading.reader.update { $0.open(at: context.clock.now) }
        }
        guard let link = connection.link else { return }
        for route in state.withLock({ $0.unobserved }) where !leavesToOthers(route) {
            // The caller that removes the route from the list subscribes, because several may check at the same time.
            let isMine = state.withLock { state in
                guard let place = state.unobserved.firstIndex(where: { $0 === route }) else { return false }
                state.unobserved.remove(at: place)
                return true
            }
            // If the link has ended, the next one subscribes.
            guard isMine, let subscription = try? subscribe(route, route.pattern, over: link) else { continue }
            state.withLock { state in
                if connection.link === link { state.late.append(subscription) }
            }
        }
    }

    // MARK: Arrivals

    /// Posts a notification that arrived through a subscription.
    func receiveTransient<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        do throws(RelayFault) {
            let event = try ArrivedEvent(message, of: route.form)
            let notification = try event.decoded(as: type, route.form, message)
            // Servers don't echo the messages of a connection, but they do echo those of an earlier connection that was
            // lost.
            if event.isFrom(context.options.name, context.instance), route.route.group == nil { return }
            _ = context.center.post(notification, event) {
                RelayedNotification(notification, NotificationOrigin(event, message, nil), Fate())
            }
        } catch { context.report(error) }
    }

    /// Handles a message of a stream, or a status of the server.
    ///
    /// Observers are called on another thread, so that this thread can record each message at once. Only recorded
    /// messages have their leases extended while they wait.
    func receiveDurable<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        guard let reading = route.reading else { return }
        guard let delivery = message.reply.flatMap(StreamDelivery.init) else { return receiveStatus(message, reading) }
        guard reading.reader.update({ $0.arrive(delivery, at: context.clock.now) }) else { return }
        let arrived = Arrived(message: message, delivery: delivery, reading: reading)
        reading.redeliveries.update { redeliveries in
            redeliveries.arrive(delivery, at: context.clock.now) { [weak self] in self?.wait(type, route, arrived) }
        }
    }

    /// Queues a message for delivery.
    private func wait<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived) {
        let (isAlone, take) = turn(type, route, arrived)
        arrived.reading.reader.update { $0.wait(arrived.delivery.sequence, isAlone: isAlone, take: take) }
    }

    /// Returns a closure that delivers a message when its turn comes, and whether the message has to be the only one in
    /// progress.
    private func turn<N: RemoteNotification>(
        _ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived
    ) -> (isAlone: Bool, take: @Sendable () -> Void) {
        let deliver: @Sendable () -> Void = { [weak self] in self?.deliver(type, route, arrived) }
        guard settlement.isSuspect(arrived) else { return (false, deliver) }
        return (true, { [settlement] in Task { await settlement.handOutAlone(arrived, deliver) } })
    }

    /// Delivers a message of a stream, and acknowledges it when its observers have finished.
    private func deliver<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived) {
        let message = arrived.message
        do throws(RelayFault) {
            if let partitions = route.route.partitions, let fault = partitions.differing(from: message) {
                context.report(fault)
            }
            let event = try ArrivedEvent(message, of: route.form)
            let notification = try event.decoded(as: type, route.form, message)
            let id = message.header(DeadLetter.origin).map { "\(event.key) \($0)" } ?? event.key
            guard settlement.begin(id, arrived) else { return }
            let addressee = message.header(DeadLetter.addressee)
            if addressee.map({ $0 != arrived.reading.consumer.name }) ?? isEcho(event, message, route) {
                // The message was redriven for another consumer, or the observers here received it when it was posted.
                return settlement.settle(id, arrived, .done)
            }
            let fate = Fate()
            // The post is made before this returns, and therefore in the order of the stream. Observers can handle
            // several at the same time.
            DeliveryWithoutWaiting.begin(awaiting: AwaitedSequences(of: N.self, RelayedNotification<N>.self)) {
                context.center.post(notification, event) {
                    RelayedNotification(notification, NotificationOrigin(event, message, arrived.delivery), fate)
                }
            } whenFinished: { [self] receipt in
                if receipt.observers == 0, !route.route.consumerOptions.consumesUnobserved {
                    return putBack(id, type, route, arrived)
                }
                settlement.finish(id, arrived, fate.problem(in: receipt, event))
            }
        } catch {
            let id = "unread \(arrived.delivery.sequence)"
            guard settlement.begin(id, arrived) else { return }
            // Another program of the group, or the next version of this one, may be able to read it.
            settlement.finish(id, arrived, error, isUnread: true)
        }
    }

    /// Keeps a message without an observer, and receives nothing further until there is one.
    private func putBack<N: RemoteNotification>(
        _ id: String, _ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived
    ) {
        let turn = turn(type, route, arrived)
        let sequence = arrived.delivery.sequence
        let (wasOpen, wasAlone) = arrived.reading.reader.update { reader in
            let wasOpen = reader.isOpen
            let wasAlone = reader.isHeldUp(by: sequence)
            reader.putBack(id, at: context.clock.now)
            // Putting back and queueing are a single step, because a new observer may cause the next messages to be
            // handed out at once.
            reader.wait(sequence, isAlone: turn.isAlone, take: turn.take)
            return (wasOpen, wasAlone)
        }
        if wasOpen {
            let words = "\(route.form.typeName) no longer has an observer; the notification is kept"
            context.report(RelayFault(.unobserved, subject: arrived.message.subject, words))
        }
        if wasAlone { settlement.goOn(after: arrived) }
    }

    /// Whether observers of this replica received a notification when it was posted or, if replicas share a consumer,
    /// observers of any replica. A program with the same name that reads no notifications of the type is a different
    /// program.
    private func isEcho(_ event: ArrivedEvent, _ message: RelayMessage, _ route: ActiveRoute) -> Bool {
        if route.route.group != nil || message.header(EventForm.postsOnlyHeader) != nil { return false }
        return switch route.route.consumerOptions.replicas {
        case .share: event.isFrom(context.options.name)
        case .each: event.isFrom(context.options.name, context.instance)
        }
    }

    /// Handles the server's status for a request for messages.
    private func receiveStatus(_ message: RelayMessage, _ reading: ActiveRoute.Reading) {
        switch message.header("Status") {
        case "100": reading.reader.update { $0.heard(at: context.clock.now) }
        case "404", "408":
            guard let number = Int(message.lastPart) else { return }
            reading.reader.update { $0.ended(number, at: context.clock.now) }
        case "409" where message.header("Description")?.lowercased().contains("consumer deleted") == true:
            missConsumer(reading, "the consumer was deleted")
        // The server can't serve the request now. Repeating it at once could loop forever, so a later tick repeats it.
        default: break
        }
    }

    /// Records that a consumer is missing or unreachable.
    private func missConsumer(_ reading: ActiveRoute.Reading, _ detail: String) {
        context.report(RelayFault(.rejected, subject: reading.consumer.name, detail))
        // The next link creates it again.
        connection.close()
    }

    // MARK: Time, and the end

    func tick() {
        lookForObservers()
        let now = context.clock.now
        for reading in readings {
            settlement.places.noteIfDue(reading)
            reading.redeliveries.update { $0.tick(at: now) }
            if reading.reader.update({ $0.tick(at: now) }) {
                missConsumer(reading, "the server sends nothing for the consumer")
            }
        }
    }

    /// Extends the leases of the fetched messages at the server.
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

    /// Requests no further messages, and gives back those that haven't been handed out.
    func stop() { for reading in readings { reading.reader.update { $0.stop(at: context.clock.now) } } }

    /// Returns when observers have finished, and their results are recorded.
    func waitForEnd() async {
        for reading in readings {
            await withCheckedContinuation { continuation in reading.reader.update { $0.waitForEnd(continuation) } }
        }
        for reading in readings { await settlement.places.note(of: reading, looks: 50) }
    }

    /// Resumes the tasks that wait for observers.
    func giveUp() { for reading in readings { reading.reader.update { $0.abandon() } } }

    /// Returns when the observers here have finished with everything that the streams of the routes contained at the
    /// call, or when the time limit passes.
    func catchUp(within limit: Duration) async -> Bool {
        let end = context.clock.now + limit
        do throws(RelayFault) {
            for reading in readings {
                guard let last = try await connection.service().lastSequence(of: reading.stream) else { return false }
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

/// A message of a stream that arrived.
struct Arrived: Sendable {
    let message: RelayMessage
    let delivery: StreamDelivery
    let reading: ActiveRoute.Reading
}

/// A stream to read, with an existing consumer.
struct StreamReading: Sendable {
    let reading: ActiveRoute.Reading

    /// Whether its messages arrive in order, which isn't the case for a group.
    let isOrdered: Bool

    /// The number of messages that were delivered before and aren't acknowledged.
    let outstanding: Int

    init(_ reading: ActiveRoute.Reading, isOrdered: Bool, outstanding: Int) {
        self.reading = reading
        self.isOrdered = isOrdered
        self.outstanding = outstanding
    }
}

extension StreamService {
    /// Returns the number of the last message of a stream; `nil` if the stream doesn't exist.
    fileprivate func lastSequence(of stream: String) async throws(RelayFault) -> Int? {
        try await ask("STREAM.INFO.\(stream)")?.object("state")?.number("last_seq")
    }

    /// Whether a consumer has handled everything in a stream up to a message.
    fileprivate func hasFinished(_ consumer: String, of stream: String, with last: Int) async throws(RelayFault) -> Bool
    {
        guard let found = try await ask("CONSUMER.INFO.\(stream).\(consumer)") else { return true }
        if let floor = found.object("ack_floor")?.number("stream_seq"), floor >= last { return true }
        return found.number("num_pending") == 0 && found.number("num_ack_pending") == 0
    }
}
