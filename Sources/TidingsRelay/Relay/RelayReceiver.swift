import Tidings
import TidingsWire

/// The part of a relay that receives: it takes what streams and programs send, posts it, and has its fate told to the server.
///
/// A route takes nothing while nobody would be called with it: what a stream has stays there, and other members of a group get their work.
final class RelayReceiver: Sendable {
    private struct State {
        /// Groups of what is transient that are not subscribed to, as nobody observes their type.
        var unobserved: [ActiveRoute] = []
        /// The subscriptions of those that somebody observes by now.
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

    /// Has what comes for the routes received.
    ///
    /// - Returns: What keeps the subscriptions, and what is read from streams.
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
            // What is here does not come again.
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

    /// Begins to read from streams.
    ///
    /// What was given out and not acknowledged comes again when its time is up. To take anything newer before would change the
    /// order; members of a group have none.
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

    /// Whether the other members of a group get what is transient, as nobody observes it here.
    private func leavesToOthers(_ route: ActiveRoute) -> Bool {
        route.reading == nil && route.route.group != nil && !route.route.consumerOptions.consumesUnobserved
            && !route.route.type.isObserved(in: context.center)
    }

    /// Has routes take something that somebody observes by now.
    func lookForObservers() {
        for route in routes {
            guard let reading = route.reading, !reading.reader.update({ $0.isOpen }),
                route.route.type.isObserved(in: context.center)
            else { continue }
            reading.reader.update { $0.open(at: context.clock.now) }
        }
        guard let link = connection.link else { return }
        for route in state.withLock({ $0.unobserved }) where !leavesToOthers(route) {
            // Whoever takes it from the list subscribes, as several may look at once.
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

    /// Posts what arrived by a subscription.
    func receiveTransient<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        do throws(RelayFault) {
            let event = try ArrivedEvent(message, of: route.form)
            let notification = try event.decoded(as: type, route.form, message)
            // Servers do not send back what a connection sent, but they do what it sent before it was lost and made again.
            if event.isFrom(context.options.name, context.instance), route.route.group == nil { return }
            _ = context.center.post(notification, event) {
                RelayedNotification(notification, NotificationOrigin(event, message, nil), Fate())
            }
        } catch { context.report(error) }
    }

    /// Takes what a stream gives out, or what the server says about it.
    ///
    /// Observers are called on another thread, so that this one notes at once what has come: what waits is kept alive, too.
    func receiveDurable<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        guard let reading = route.reading else { return }
        guard let delivery = message.reply.flatMap(StreamDelivery.init) else { return receiveStatus(message, reading) }
        guard reading.reader.update({ $0.arrive(delivery, at: context.clock.now) }) else { return }
        let arrived = Arrived(message: message, delivery: delivery, reading: reading)
        reading.redeliveries.update { redeliveries in
            redeliveries.arrive(delivery, at: context.clock.now) { [weak self] in self?.wait(type, route, arrived) }
        }
    }

    /// Has a message that has come delivered when it is its turn.
    private func wait<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived) {
        let (isAlone, take) = turn(type, route, arrived)
        arrived.reading.reader.update { $0.wait(arrived.delivery.sequence, isAlone: isAlone, take: take) }
    }

    /// What is done with a message when it is its turn, and whether nothing else may be in progress with it.
    private func turn<N: RemoteNotification>(
        _ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived
    ) -> (isAlone: Bool, take: @Sendable () -> Void) {
        let deliver: @Sendable () -> Void = { [weak self] in self?.deliver(type, route, arrived) }
        guard settlement.isSuspect(arrived) else { return (false, deliver) }
        return (true, { [settlement] in Task { await settlement.handOutAlone(arrived, deliver) } })
    }

    /// Delivers what a stream has, and acknowledges it when its observers have finished.
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
                // It is sent back to somebody else, or the observers here had it when it was posted.
                return settlement.settle(id, arrived, .done)
            }
            let fate = Fate()
            // The post is made before this returns, so in the order of the stream; its observers may be at several at a time.
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

    /// Keeps a message that nobody observes, and takes nothing more, until somebody does.
    private func putBack<N: RemoteNotification>(
        _ id: String, _ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived
    ) {
        let turn = turn(type, route, arrived)
        let sequence = arrived.delivery.sequence
        let (wasOpen, wasAlone) = arrived.reading.reader.update { reader in
            let wasOpen = reader.isOpen
            let wasAlone = reader.isHeldUp(by: sequence)
            reader.putBack(id, at: context.clock.now)
            // In the same step: whoever observes next may have what is behind it handed out at once.
            reader.wait(sequence, isAlone: turn.isAlone, take: turn.take)
            return (wasOpen, wasAlone)
        }
        if wasOpen {
            let words = "nobody observes \(route.form.typeName) any more; it is kept"
            context.report(RelayFault(.unobserved, subject: arrived.message.subject, words))
        }
        if wasAlone { settlement.goOn(after: arrived) }
    }

    /// Whether observers of the program had a notification when it was posted: of this replica, or, if replicas share, of any. A program
    /// of the same name that reads nothing of the type is another one.
    private func isEcho(_ event: ArrivedEvent, _ message: RelayMessage, _ route: ActiveRoute) -> Bool {
        if route.route.group != nil || message.header(EventForm.postsOnlyHeader) != nil { return false }
        return switch route.route.consumerOptions.replicas {
        case .share: event.isFrom(context.options.name)
        case .each: event.isFrom(context.options.name, context.instance)
        }
    }

    /// Takes what the server says about a request for messages.
    private func receiveStatus(_ message: RelayMessage, _ reading: ActiveRoute.Reading) {
        switch message.header("Status") {
        case "100": reading.reader.update { $0.heard(at: context.clock.now) }
        case "404", "408":
            guard let number = Int(message.lastPart) else { return }
            reading.reader.update { $0.ended(number, at: context.clock.now) }
        case "409" where message.header("Description")?.lowercased().contains("consumer deleted") == true:
            missConsumer(reading, "the consumer was deleted")
        // The server cannot serve the request now. To ask again at once would be to ask without end; a tick does.
        default: break
        }
    }

    /// Notes that a consumer is gone, or cannot be reached.
    private func missConsumer(_ reading: ActiveRoute.Reading, _ detail: String) {
        context.report(RelayFault(.rejected, subject: reading.consumer.name, detail))
        // The next link makes it again.
        connection.close()
    }

    // MARK: Time, and the end

    func tick() {
        lookForObservers()
        let now = context.clock.now
        for reading in readings {
            settlement.places.noteIfDue(reading)
            reading.redeliveries.update { $0.tick(at: now) }
            if reading.reader.update({ $0.tick(at: now) }) { missConsumer(reading, "nothing is heard of the consumer") }
        }
    }

    /// Tells the server that what was fetched is still here.
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

    /// Asks for no more, and gives back what has not been begun.
    func stop() { for reading in readings { reading.reader.update { $0.stop(at: context.clock.now) } } }

    /// Returns when observers have finished, and that is noted.
    func waitForEnd() async {
        for reading in readings {
            await withCheckedContinuation { continuation in reading.reader.update { $0.waitForEnd(continuation) } }
        }
        for reading in readings { await settlement.places.note(of: reading, looks: 50) }
    }

    /// Lets go who waits for observers.
    func giveUp() { for reading in readings { reading.reader.update { $0.abandon() } } }

    /// Returns when the observers here have finished with everything that the streams of the routes had when it was called, or the time is
    /// over.
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

/// A message of a stream that has come to a program.
struct Arrived: Sendable {
    let message: RelayMessage
    let delivery: StreamDelivery
    let reading: ActiveRoute.Reading
}

/// What is read from a stream, by a consumer that is there.
struct StreamReading: Sendable {
    let reading: ActiveRoute.Reading

    /// Whether its messages come in order; those of a group do not.
    let isOrdered: Bool

    /// How many messages are outstanding that were given out before.
    let outstanding: Int

    init(_ reading: ActiveRoute.Reading, isOrdered: Bool, outstanding: Int) {
        self.reading = reading
        self.isOrdered = isOrdered
        self.outstanding = outstanding
    }
}

extension StreamService {
    /// The number of the last message of a stream; `nil` if there is no such stream.
    fileprivate func lastSequence(of stream: String) async throws(RelayFault) -> Int? {
        try await ask("STREAM.INFO.\(stream)")?.object("state")?.number("last_seq")
    }

    /// Whether a consumer has nothing left of what a stream had up to a message.
    fileprivate func hasFinished(_ consumer: String, of stream: String, with last: Int) async throws(RelayFault) -> Bool
    {
        guard let found = try await ask("CONSUMER.INFO.\(stream).\(consumer)") else { return true }
        if let floor = found.object("ack_floor")?.number("stream_seq"), floor >= last { return true }
        return found.number("num_pending") == 0 && found.number("num_ack_pending") == 0
    }
}
