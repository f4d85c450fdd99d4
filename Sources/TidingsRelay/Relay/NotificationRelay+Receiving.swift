import Tidings

extension NotificationRelay {
    /// Posts what arrived by a subscription.
    func receiveTransient<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        do throws(RelayFault) {
            let event = try read(message, route.form)
            let notification = try decode(type, event, route.form, message)
            // Servers do not send back what a connection sent, but they do what it sent before it was lost and made again.
            if event.isFrom(options.name), route.route.group == nil { return }
            _ = post(notification, event) {
                RelayedNotification(notification, NotificationOrigin(event, message, nil), Fate())
            }
        } catch { report(error) }
    }

    /// Takes what a stream gives out, or what the server says about it.
    func receiveDurable<N: RemoteNotification>(_ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage) {
        guard let reading = route.reading else { return }
        guard let delivery = message.reply.flatMap(StreamDelivery.init) else { return receiveStatus(message, reading) }
        reading.redeliveries.update { redeliveries in
            redeliveries.arrive(delivery, at: clock.now) { [weak self] in
                self?.deliverDurable(type, route, message, delivery, reading)
            }
        }
    }

    /// Delivers what a stream has, and acknowledges it when its observers have finished.
    private func deliverDurable<N: RemoteNotification>(
        _ type: N.Type, _ route: ActiveRoute, _ message: RelayMessage, _ delivery: StreamDelivery,
        _ reading: ActiveRoute.Reading
    ) {
        do throws(RelayFault) {
            let event = try read(message, route.form)
            let notification = try decode(type, event, route.form, message)
            let id = event.key
            guard reading.reader.update({ $0.begin(id, delivery, at: clock.now) }) else { return }
            if event.isFrom(options.name), route.route.group == nil {
                // The observers here had it when it was posted.
                reading.reader.update { $0.end(id, .done, at: clock.now) }
                return
            }
            let fate = Fate()
            // The post is made before this returns, so in the order of the stream; its observers may be at several at a time.
            DeliveryWithoutWaiting.begin(awaiting: AwaitedSequences(of: N.self, RelayedNotification<N>.self)) {
                post(notification, event) {
                    RelayedNotification(notification, NotificationOrigin(event, message, delivery), fate)
                }
            } whenFinished: { [self] receipt in
                finish(id, message, delivery, reading, problem(in: receipt, fate, event))
            }
        } catch {
            let id = "unread \(delivery.sequence)"
            guard reading.reader.update({ $0.begin(id, delivery, at: clock.now) }) else { return }
            report(error)
            bury(id, message, delivery, reading, error)
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
        guard let native else { return Arrival.post(notification, at: self) }
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

    private func finish(
        _ id: String, _ message: RelayMessage, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading,
        _ problem: RelayFault?
    ) {
        guard let problem else {
            reading.reader.update { $0.end(id, .done, at: clock.now) }
            return
        }
        report(problem)
        if delivery.count > options.retryDelays.count { return bury(id, message, delivery, reading, problem) }
        let delay = options.retryDelays[delivery.count - 1]
        reading.reader.update { $0.end(id, .again(after: delay), at: clock.now) }
    }

    /// Keeps a message among the dead letters, and then has it delivered no more.
    private func bury(
        _ id: String, _ message: RelayMessage, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading,
        _ problem: RelayFault
    ) {
        var letter = RelayMessage(reading.deadLetterSubject, bytes: message.bytes)
        let ours = ["nats-msg-id", "tidings-dead-reason", "tidings-dead-subject", "tidings-dead-sequence"]
        letter.headers = message.headers.filter { !ours.contains($0.name.lowercased()) }
        letter.headers.append(.init("Nats-Msg-Id", "dead \(reading.consumer.name) \(delivery.sequence)"))
        letter.headers.append(.init("tidings-dead-reason", HeaderText.escaped(String("\(problem)".prefix(1000)))))
        letter.headers.append(.init("tidings-dead-subject", HeaderText.escaped(message.subject)))
        letter.headers.append(.init("tidings-dead-sequence", "\(delivery.sequence)"))
        let subject = letter.subject
        let settle: Outbox.Settle = { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let sequence):
                report(
                    RelayFault(.deadLetter, subject: message.subject, id: problem.id, "kept as \(subject) \(sequence)"))
                reading.reader.update { $0.end(id, .never, at: self.clock.now) }
            case .failure(let fault):
                report(fault)
                reading.reader.update {
                    $0.end(id, .again(after: self.options.acknowledgementTime), at: self.clock.now)
                }
            }
        }
        if !append(letter, to: StoredRoute(deadLettersOf: reading.stream), settle) {
            settle(.failure(RelayFault(.outboxFull, subject: subject, "\(waitingCount) notifications wait")))
        }
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
            id: event.id, source: event.source, time: event.time, subject: message.subject,
            deliveryCount: delivery?.count ?? 1,
            streamSequence: delivery?.sequence, trace: event.trace, headers: OwnHeaders.found(in: message))
    }
}
