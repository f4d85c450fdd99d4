import TidingsEngine

extension MessageBus {
    /// Attaches a monitor, which is told from now on what happens in the bus. Several can be attached.
    ///
    /// A consumer is told as an observer of the message type, and as its own owner. A dispatch is told as a post, which has no
    /// place if the code knows the bus as a ``MessageProducer``; and each message as it begins to wait for a consumer, and when the consumer
    /// has taken it. A consumer that is
    /// slow on the main actor is noticed if it was added `on: .main`. One that is gone is told to have ended when a dispatch
    /// meets it.
    ///
    /// A bus without a monitor pays nothing for the possibility.
    ///
    /// - Parameters:
    ///   - monitor: The monitor. The attachment keeps it alive.
    ///   - interests: What it is told; `nil` for its own ``NotificationMonitor/interests``.
    ///   - interval: Of how many posts it is told of one, with the calls, waits and drops that the post leads to. Each thread
    ///     counts its own posts.
    ///   - thresholds: When it is warned.
    ///   - clock: The clock that measures durations and ages.
    /// - Returns: The attachment: when it is let go, the monitor is detached.
    public func attach(
        _ monitor: some NotificationMonitor, interests: MonitorInterests? = nil, onePostIn interval: Int = 1,
        thresholds: WarningThresholds = WarningThresholds(), clock: any Clock<Duration> = ContinuousClock()
    ) -> MonitorAttachment {
        MonitorAttachment(
            AttachedMonitor(monitor, interests, onePostIn: interval, thresholds, clock), to: monitoring,
            calls: { [weak self] in self?.callsUnderWay ?? [] }
        ) {
            [weak self] new in
            self?.refreshMonitoring(new)
        }
    }

    /// The consumers that are called, and those for which something waits.
    private var callsUnderWay: [CallUnderWay] {
        state.withLock { Array($0.subscribers.values) }.compactMap { subscriber in
            let queue = subscriber.mailbox.status
            return CallUnderWay(subscriber.observer, isRunning: queue.isRunning, queued: queue.queued, queue.calls)
        }
    }

    /// Notes whether there are monitors, and shows the consumers to one that is new.
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

    /// Whether monitors are told of each message, or warned of what becomes of it.
    private var tellsMessages: Bool { monitoring.interests.areOfPosts }

    /// Tells the monitors of the queue of a consumer. A message is put into all queues under one lock, so what they are told is decided
    /// for all.
    private func reporter(of subscriber: Subscriber<Message>) -> QueueReporter {
        QueueReporter(subscriber.observer, monitoring, tellsEach: tellsMessages)
    }

    /// Tells the monitors of a consumer that was added.
    @usableFromInline
    func didAdd(_ subscriber: Subscriber<Message>) {
        subscriber.mailbox.report(to: reporter(of: subscriber))
        for monitor in monitoring.current {
            monitor.track(subscriber.observer, owner: subscriber.lifetime)
            monitor.receive(.registered(subscriber.observer))
        }
    }

    /// Tells the monitors, if there are any, of consumers that were removed.
    @usableFromInline
    func tellEnd(of subscribers: some Sequence<Subscriber<Message>>, _ reason: ObservationEndReason) {
        if !monitoring.isActive { return }
        for subscriber in subscribers { monitoring.send(.ended(subscriber.observer, reason)) }
    }

    /// Sends a message to every consumer, and tells the monitors.
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

    /// - Returns: How many consumers the message was sent to.
    private func announceAndFill(_ message: Message) -> Int {
        // Monitors are told with no lock held. A consumer that is added meanwhile gets the message too, unannounced.
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
    /// The consumer, as monitors know it.
    @usableFromInline var observer: ObserverDescription {
        let registration = ObserverRegistration(fileID: place.fileID, line: place.line, delivery: delivery)
            .with(registeredAt: addedAt)
        return ObserverDescription(serial, of: NotificationSubject(Message.self), registration)
    }
}
