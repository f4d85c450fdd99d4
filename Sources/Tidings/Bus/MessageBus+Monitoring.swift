import TidingsEngine

extension MessageBus {
    /// Attaches a monitor, which receives the events of the bus from now on. Several monitors can be attached.
    ///
    /// Each consumer is reported as an observer of the message type, and as its own owner. A dispatch is reported as a
    /// post. A dispatch through ``MessageProducer`` is reported without the file and line of the call. A message is
    /// reported when it is queued for a consumer and when it has been handled. A slow consumer on the main actor is
    /// only detected if it was added `on: .main`. If a consumer is deallocated, the end of its observation is reported
    /// when a later call of `dispatch` or `add` detects the deallocation. Without a monitor, a bus has no overhead.
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - interests: The events that the monitor receives; `nil` for its own ``NotificationMonitor/interests``.
    ///   - samplingInterval: The interval *n*: the monitor receives one in *n* posts, and the calls, waits and drops
    ///     that result from that post. The posts of all threads are counted together.
    ///   - thresholds: The limits beyond which the monitor receives a warning.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment. When it is released, the monitor is detached.
    public func attach(
        _ monitor: some NotificationMonitor, interests: MonitorInterests? = nil, samplingInterval: Int = 1,
        thresholds: WarningThresholds = WarningThresholds(), clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        MonitorAttachment(
            AttachedMonitor(monitor, interests, samplingInterval: samplingInterval, thresholds, clock), to: monitoring,
            calls: { [weak self] in self?.callsUnderWay ?? [] },
            refresh: { [weak self] in self?.refreshMonitoring($0) })
    }

    private var callsUnderWay: [CallUnderWay] {
        state.withLock { Array($0.subscribers.values) }.compactMap { CallUnderWay($0.observer, $0.mailbox.status) }
    }

    private func refreshMonitoring(_ new: AttachedMonitor?) {
        let subscribers = state.withLock { state in
            state.isMonitored = monitoring.isActive
            state.tellsMessages = tellsMessages
            return state.subscribers
        }
        for subscriber in subscribers.values {
            subscriber.mailbox.report(to: reporter(of: subscriber))
            new?.track(subscriber.observer, owner: subscriber.lifetime)
        }
    }

    private var tellsMessages: Bool { monitoring.interests.areOfPosts }

    /// All queues have the same value of `tellsEach` (report each message), because each message enters all queues.
    private func reporter(of subscriber: Subscriber<Message>) -> QueueReporter {
        QueueReporter(subscriber.observer, monitoring, tellsEach: tellsMessages)
    }

    @usableFromInline
    func didAdd(_ subscriber: Subscriber<Message>) {
        subscriber.mailbox.report(to: reporter(of: subscriber))
        for monitor in monitoring.current {
            monitor.track(subscriber.observer, owner: subscriber.lifetime)
            monitor.receive(.registered(subscriber.observer))
        }
    }

    @usableFromInline
    func tellEnd(of subscribers: some Sequence<Subscriber<Message>>, _ reason: ObservationEndReason) {
        if !monitoring.isActive { return }
        for subscriber in subscribers { monitoring.send(.ended(subscriber.observer, reason)) }
    }

    @usableFromInline
    func dispatchMonitored(_ message: Message, from place: SourcePlace?) {
        let subject = NotificationSubject(Message.self)
        let task = MonitoredTask.current
        let monitors = task.isCausedByMonitor ? nil : monitoring.list
        guard let monitors else {
            _ = announceAndFill(message)
            return
        }
        ToldPost.perform(subject, from: place, in: task, monitors, of: message) { announceAndFill(message) }
    }

    private func announceAndFill(_ message: Message) -> Int {
        // No lock is held, because `announce` calls monitors. A consumer that is added between this step and `fill`
        // below has no announcement.
        let announcements = state.withLock { $0.isFinished ? [:] : $0.subscribers }.values.map { subscriber in
            (ObjectIdentifier(subscriber.mailbox), (mailbox: subscriber.mailbox, subscriber.mailbox.announce()))
        }
        var announced = Dictionary(uniqueKeysWithValues: announcements)
        var refused: [(Mailbox<Message>, Queued<Message>)] = []
        let action = state.withLock { state in
            state.fill { mailbox in
                let announcement = announced.removeValue(forKey: ObjectIdentifier(mailbox))?.1 ?? .none
                let action = mailbox.fill(with: message, in: .none, announcement)
                if case .refuse(let element) = action { refused.append((mailbox, element)) }
                return action
            }
        }
        for (mailbox, announcement) in announced.values { mailbox.withdraw(announcement) }
        for (mailbox, element) in refused { mailbox.discard(element) }
        action.start()
        monitoring.watchCalls()
        tellEnd(of: action.removed, .ownerGone)
        return action.count
    }
}

extension Subscriber {
    @usableFromInline var observer: ObserverDescription {
        let registration = ObserverRegistration(fileID: place.fileID, line: place.line, delivery: delivery)
            .with(registeredAt: addedAt)
        return ObserverDescription(serial, of: NotificationSubject(Message.self), registration)
    }
}
