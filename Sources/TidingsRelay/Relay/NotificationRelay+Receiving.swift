import Tidings

extension NotificationRelay {
    /// Posts what arrived by a subscription.
    func receiveTransient<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        do throws(RelayFault) {
            let event = try read(message, route.form)
            let notification = try decode(type, event, route.form, message)
            // Servers do not send back what a connection sent, but they do what it sent before it was lost and made again.
            if event.isFrom(options.name, instance), route.route.group == nil { return }
            _ = post(notification, event) {
                RelayedNotification(notification, NotificationOrigin(event, message, nil), Fate())
            }
        } catch { report(error) }
    }

    /// Takes what a stream gives out, or what the server says about it.
    ///
    /// Observers are called on another thread, so that this one notes at once what has come: what waits is kept alive, too.
    func receiveDurable<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        guard let reading = route.reading else { return }
        guard let delivery = message.reply.flatMap(StreamDelivery.init) else { return receiveStatus(message, reading) }
        guard reading.reader.update({ $0.arrive(delivery, at: clock.now) }) else { return }
        reading.redeliveries.update { redeliveries in
            redeliveries.arrive(delivery, at: clock.now) { [weak self] in
                self?.wait(type, route, message, delivery, reading)
            }
        }
    }

    /// Tells that who posts divides its notifications into another number of partitions than the group, which then may not read all of them.
    private func compare(_ said: String, with partitions: RoutePartitions, of message: RelayMessage) {
        report(
            RelayFault(
                .settingsDiffer, subject: message.subject,
                "it was posted by a route with \(said) partitions, and the group reads \(partitions.count): nobody gets what is in others"
            ))
    }

    /// Has a message that has come delivered when it is its turn.
    private func wait<N: RemoteNotification>(
        _ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage, _ delivery: StreamDelivery,
        _ reading: ActiveRoute.Reading
    ) {
        let (isAlone, take) = turn(type, route, message, delivery, reading)
        reading.reader.update { $0.wait(delivery.sequence, isAlone: isAlone, take: take) }
    }

    /// What is done with a message when it is its turn, and whether nothing else may be in progress with it.
    private func turn<N: RemoteNotification>(
        _ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage, _ delivery: StreamDelivery,
        _ reading: ActiveRoute.Reading
    ) -> (isAlone: Bool, take: @Sendable () -> Void) {
        let deliver: @Sendable () -> Void = { [weak self] in
            self?.deliverDurable(type, route, message, delivery, reading)
        }
        guard isSuspect(delivery, reading) else { return (false, deliver) }
        return (true, { [weak self] in Task { await self?.handOutAlone(message, delivery, reading, deliver) } })
    }

    /// Delivers what a stream has, and acknowledges it when its observers have finished.
    private func deliverDurable<N: RemoteNotification>(
        _ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage, _ delivery: StreamDelivery,
        _ reading: ActiveRoute.Reading
    ) {
        do throws(RelayFault) {
            if let partitions = route.route.partitions, let said = message.header(EventForm.partitionHeader),
                Int(said) != partitions.count
            {
                compare(said, with: partitions, of: message)
            }
            let event = try read(message, route.form)
            let notification = try decode(type, event, route.form, message)
            let id = message.header(DeadLetter.origin).map { "\(event.key) \($0)" } ?? event.key
            guard begin(id, delivery, reading) else { return }
            let addressee = message.header(DeadLetter.addressee)
            if addressee.map({ $0 != reading.consumer.name }) ?? isEcho(event, route) {
                // It is sent back to somebody else, or the observers here had it when it was posted.
                return settle(id, delivery, reading, .done)
            }
            let fate = Fate()
            // The post is made before this returns, so in the order of the stream; its observers may be at several at a time.
            DeliveryWithoutWaiting.begin(awaiting: AwaitedSequences(of: N.self, RelayedNotification<N>.self)) {
                post(notification, event) {
                    RelayedNotification(notification, NotificationOrigin(event, message, delivery), fate)
                }
            } whenFinished: { [self] receipt in
                if receipt.observers == 0, !route.route.taking.takesUnobserved {
                    return putBack(id, type, route, message, delivery, reading)
                }
                finish(id, message, delivery, reading, problem(in: receipt, fate, event))
            }
        } catch {
            let id = "unread \(delivery.sequence)"
            guard begin(id, delivery, reading) else { return }
            // Another program of the group, or the next version of this one, may be able to read it.
            finish(id, message, delivery, reading, error)
        }
    }

    /// Keeps a message that nobody observes, and takes nothing more, until somebody does.
    private func putBack<N: RemoteNotification>(
        _ id: String, _ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage, _ delivery: StreamDelivery,
        _ reading: ActiveRoute.Reading
    ) {
        let turn = turn(type, route, message, delivery, reading)
        let (wasOpen, wasAlone) = reading.reader.update { reader in
            let wasOpen = reader.isOpen
            let wasAlone = reader.isHeldUp(by: delivery.sequence)
            reader.putBack(id, at: clock.now)
            // In the same step: whoever observes next may have what is behind it handed out at once.
            reader.wait(delivery.sequence, isAlone: turn.isAlone, take: turn.take)
            return (wasOpen, wasAlone)
        }
        if wasOpen {
            report(
                RelayFault(
                    .unobserved, subject: message.subject, "nobody observes \(route.form.typeName) any more; it is kept"
                ))
        }
        if wasAlone { goOn(after: delivery, reading) }
    }

    /// Whether observers of the program had a notification when it was posted: of this replica, or, if replicas share, of any.
    private func isEcho(_ event: ArrivedEvent, _ route: ActiveRoute) -> Bool {
        if route.route.group != nil { return false }
        return switch route.route.taking.replicas {
        case .share: event.isFrom(options.name)
        case .each: event.isFrom(options.name, instance)
        }
    }

    private func read(_ message: RelayMessage, _ form: EventForm) throws(RelayFault) -> ArrivedEvent {
        do throws(CloudEvent.Malformed) { return try ArrivedEvent(message, expecting: form) } catch {
            throw RelayFault(.undecodable, subject: message.subject, id: message.header("ce-id"), "\(error)")
        }
    }

    private func decode<N: RemoteNotification>(
        _ type: N.Type, _ event: ArrivedEvent, _ form: EventForm, _ message: RelayMessage
    ) throws(RelayFault) -> N {
        // Nearly all are of the version that this program writes.
        guard let found = event.type == form.typeName ? form.type : EventType(event.type), found.name == form.type.name
        else {
            throw RelayFault(
                .unknownType, subject: message.subject, id: event.id, "\(event.type), not \(form.type.name)")
        }
        guard N.readableVersions.contains(found.version) else {
            let known = N.readableVersions
            throw RelayFault(
                .unknownVersion, subject: message.subject, id: event.id,
                "\(event.type); read are the versions \(known.lowerBound) to \(known.upperBound)")
        }
        do { return try N.decoded(event.data, version: found.version) } catch {
            throw RelayFault(.undecodable, subject: message.subject, id: event.id, "\(error)")
        }
    }

    /// Posts what arrived, first with its origin, which is made only if anybody may observe it.
    private func post<N: RemoteNotification>(
        _ notification: N, _ event: ArrivedEvent, received: () -> RelayedNotification<N>
    ) -> Int {
        RelayTraceContext.withArrived(event.trace) {
            let isObserved = native?.mayBeObserved(RelayedNotification<N>.self) ?? true
            return (isObserved ? center.post(received()) : 0) + postToOthers(notification)
        }
    }

    /// Posts a notification to all observers but the relay's own.
    ///
    /// - Returns: How many observers were called.
    func postToOthers<N: RemoteNotification>(_ notification: N) -> Int {
        guard let own = state.withLock({ $0.observed[ObjectIdentifier(N.self)] }) else {
            return center.post(notification, from: place)
        }
        guard let native else { return Arrival.post(notification, at: self, in: center, from: place) }
        return native.post(notification, except: own.token.observation, from: place)
    }

    /// Why a durable notification has to be delivered again; `nil` if it need not.
    private func problem(in receipt: DeliveryReceipt, _ fate: Fate, _ event: ArrivedEvent) -> RelayFault? {
        if receipt.observers == 0 { return RelayFault(.unobserved, id: event.id, "nobody observes \(event.type)") }
        if let failure = receipt.failures.first { return RelayFault(.observerFailed, id: event.id, "\(failure)") }
        if fate.isRetry.withLock({ $0 }) {
            return RelayFault(.observerFailed, id: event.id, "an observer asked for a retry")
        }
        return nil
    }

    /// Takes what the server says about a request for messages.
    private func receiveStatus(_ message: RelayMessage, _ reading: ActiveRoute.Reading) {
        switch message.header("Status") {
        case "100": reading.reader.update { $0.heard(at: clock.now) }
        case "404", "408":
            guard let number = Int(message.lastPart) else { return }
            reading.reader.update { $0.ended(number, at: clock.now) }
        case "409" where message.header("Description")?.lowercased().contains("consumer deleted") == true:
            missConsumer(reading, "the consumer was deleted")
        // The server cannot serve the request now. To ask again at once would be to ask without end; a tick does.
        default: break
        }
    }

    /// Notes that a consumer is gone, or cannot be reached.
    func missConsumer(_ reading: ActiveRoute.Reading, _ detail: String) {
        report(RelayFault(.rejected, subject: reading.consumer.name, detail))
        // The next link makes it again.
        state.withLock { $0.link }?.close()
    }
}

extension NotificationOrigin {
    init(_ event: ArrivedEvent, _ message: RelayMessage, _ delivery: StreamDelivery?) {
        self.init(
            id: event.id, source: event.source, instance: event.instance, time: event.time, subject: message.subject,
            deliveryCount: delivery?.count ?? 1,
            streamSequence: delivery?.sequence, trace: event.trace, headers: OwnHeaders.found(in: message))
    }
}
