final class MessageHandler: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection
    let settlement: Settlement

    init(_ context: RelayContext, _ connection: RelayConnection, _ sender: RelaySender) {
        self.context = context
        self.connection = connection
        settlement = Settlement(context, connection, sender)
    }

    func receiveTransient<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        route.counts.received.wrappingAdd(1, ordering: .relaxed)
        do throws(RelayFault) {
            let event = try ArrivedEvent(message, of: route.form)
            let notification = try event.decoded(as: type, route.form, message)
            // After a reconnect, the program may receive its own messages. The server withholds them only on the
            // connection that sent them.
            if event.isFrom(context.options.name, context.instance), route.route.group == nil { return }
            _ = context.center.post(notification, event) {
                RelayedNotification(notification, NotificationOrigin(event, message, nil), Fate())
            }
        } catch {
            context.report(error)
            route.counts.noteFailure(error)
        }
    }

    /// Handles a message of a stream. The message is recorded at once, because the heartbeats that prevent a redelivery
    /// are sent only for recorded messages.
    func receiveDurable<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        guard let reading = route.reading else { return }
        guard let delivery = message.reply.flatMap(StreamDelivery.init) else { return receiveStatus(message, reading) }
        route.counts.received.wrappingAdd(1, ordering: .relaxed)
        guard reading.reader.update({ $0.arrive(delivery, at: context.clock.now) }) else { return }
        let arrived = Arrived(message: message, delivery: delivery, reading: reading)
        reading.redeliveries.update { redeliveries in
            redeliveries.arrive(delivery, at: context.clock.now) { [weak self] in self?.wait(type, route, arrived) }
        }
    }

    private func wait<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived) {
        let (isAlone, take) = turn(type, route, arrived)
        arrived.reading.reader.update { $0.wait(arrived.delivery.sequence, isAlone: isAlone, take: take) }
    }

    private func turn<N: RemoteNotification>(
        _ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived
    ) -> (isAlone: Bool, take: @Sendable () -> Void) {
        let deliver: @Sendable () -> Void = { [weak self] in self?.deliver(type, route, arrived) }
        guard settlement.isSuspect(arrived) else { return (false, deliver) }
        return (true, { [settlement] in Task { await settlement.handOutAlone(arrived, deliver) } })
    }

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
                // The message was redriven for another consumer, or observers received it when it was posted.
                return settlement.settle(id, arrived, .done)
            }
            let fate = Fate()
            let wasObserved = context.center.isObserved(type)
            // This thread posts in the order of the stream, and doesn't wait for asynchronous observers.
            DeliveryWithoutWaiting.begin(awaiting: AwaitedSequences(of: N.self, RelayedNotification<N>.self)) {
                context.center.post(notification, event) {
                    RelayedNotification(notification, NotificationOrigin(event, message, arrived.delivery), fate)
                }
            } whenFinished: { [self] receipt in
                // If the type has observers, but none accepts the notification, keeping it would block the route.
                if receipt.observers == 0, !route.route.consumerOptions.consumesUnobserved,
                    !(wasObserved && context.center.isObserved(type))
                {
                    return putBack(id, type, route, arrived)
                }
                settlement.finish(id, arrived, fate.problem(in: receipt, event))
            }
        } catch {
            let id = "unread \(arrived.delivery.sequence)"
            guard settlement.begin(id, arrived) else { return }
            // Another group member, or the next version of this program, may be able to read the message.
            settlement.finish(id, arrived, error, isUnread: true)
        }
    }

    /// Puts back a message whose type has no observer. In a group, the message goes back to the server. Otherwise, the
    /// program keeps the message.
    private func putBack<N: RemoteNotification>(
        _ id: String, _ type: N.Type, _ route: ActiveRoute, _ arrived: Arrived
    ) {
        let turn = turn(type, route, arrived)
        let sequence = arrived.delivery.sequence
        let (wasOpen, wasAlone) = arrived.reading.reader.update { reader in
            let wasOpen = reader.isOpen
            let wasAlone = reader.fetched.isHeldUp(by: sequence)
            reader.putBack(id, at: context.clock.now)
            // The message is queued in the same update. Otherwise, a new observer could receive later messages first.
            reader.wait(sequence, isAlone: turn.isAlone, take: turn.take)
            return (wasOpen, wasAlone)
        }
        if wasOpen {
            let words = "\(route.form.typeName) no longer has an observer; the notification is kept"
            context.report(RelayFault(.unobserved, subject: arrived.message.subject, words))
        }
        if wasAlone { settlement.goOn(after: arrived) }
    }

    /// Whether observers of this replica, or of any replica with the same consumer, received the notification when it
    /// was posted. A program that only posts the type has no such observers.
    private func isEcho(_ event: ArrivedEvent, _ message: RelayMessage, _ route: ActiveRoute) -> Bool {
        if route.route.group != nil || message.header(EventForm.postsOnlyHeader) != nil { return false }
        return switch route.route.consumerOptions.replicas {
        case .share: event.isFrom(context.options.name)
        case .each: event.isFrom(context.options.name, context.instance)
        }
    }

    private func receiveStatus(_ message: RelayMessage, _ reading: ActiveRoute.Reading) {
        switch message.header("Status") {
        case "100": reading.reader.update { $0.requests.heard(at: context.clock.now) }
        case "404", "408":
            guard let number = Int(message.lastPart) else { return }
            reading.reader.update { $0.ended(number, at: context.clock.now) }
        case "409" where message.header("Description")?.lowercased().contains("consumer deleted") == true:
            missConsumer(reading, "the consumer was deleted")
        // The server can't handle the request now. A timer repeats it, because repeating it here could loop forever.
        default: break
        }
    }

    func missConsumer(_ reading: ActiveRoute.Reading, _ detail: String) {
        context.report(RelayFault(.rejected, subject: reading.consumer.name, detail))
        // The setup of the next link creates the consumer again.
        connection.close()
    }
}

/// A received message. It is a class, because closures capture it, and a copy of a structure would retain six objects.
final class Arrived: Sendable {
    let message: RelayMessage
    let delivery: StreamDelivery
    let reading: ActiveRoute.Reading

    init(message: RelayMessage, delivery: StreamDelivery, reading: ActiveRoute.Reading) {
        (self.message, self.delivery, self.reading) = (message, delivery, reading)
    }
}
