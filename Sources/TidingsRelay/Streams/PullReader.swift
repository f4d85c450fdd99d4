struct PullReader: ActingMachine {
    enum Action: Sendable {
        case publish(any Link, RelayMessage)
        case handOut(@Sendable () -> Void)
        case resume(CheckedContinuation<Void, Never>)
        case close(any Link)
    }

    var actions: [Action] = []

    private enum Intake {
        /// No messages are requested or handed out, because there is no observer.
        case unobserved
        case open
        case stopped
    }

    private var link: (any Link)?
    private var intake: Intake
    var requests: PullRequests
    private var presence: Presence
    private(set) var fetched: FetchedMessages
    var setbacks: Setbacks
    private var progress: EventProgress

    var isOpen: Bool { intake == .open }

    /// The server sends messages to subjects that consist of `inbox`, a dot and a number. `memory` is the number of
    /// remembered events. `patience` is the time without a heartbeat after which the server redelivers a message.
    init(
        stream: String, consumer: String, inbox: String, limit: Int, prefetchLimit: Int = 0, memory: Int,
        isShared: Bool = false, isOpen: Bool = true, patience: Duration = .seconds(5)
    ) {
        intake = isOpen ? .open : .unobserved
        requests = PullRequests(
            stream: stream, consumer: consumer, inbox: inbox, limit: limit + prefetchLimit, isShared: isShared)
        presence = Presence(patience: isShared ? patience : nil)
        fetched = FetchedMessages(inProgress: limit)
        setbacks = Setbacks(isShared: isShared)
        progress = EventProgress(memory: memory)
    }

    mutating func connect(_ link: any Link, at now: Duration) {
        self.link = link
        requests.forgetAll()
        presence.note(at: now)
        pull(at: now)
    }

    /// Records that the link has ended. Waiting messages are kept, unless the server may give them to another program.
    mutating func disconnect() {
        link = nil
        requests.forgetAll()
        _ = fetched.removeUnbegun(keepingWaiting: !requests.isShared)
        goOn()
    }

    mutating func open(at now: Duration) {
        if intake == .unobserved { intake = .open }
        goOn()
        pull(at: now)
    }

    /// Takes back a message that has no observer. Its copies are returned to the server. With a shared consumer, the
    /// message and all waiting messages are returned, too. Otherwise, the caller has to queue the message again.
    mutating func putBack(_ id: String, at now: Duration) {
        if intake == .open { intake = .unobserved }
        let sequences = progress.end(id, isDone: false)
        if let first = sequences.first { fetched.putBack(first) }
        for copy in sequences.dropFirst() {
            setbacks.addUnused(copy, at: now)
            release(copy, .again(after: .zero), at: now)
        }
        if !requests.isShared { return }
        for delivery in fetched.removeUnbegun(keepingWaiting: false) {
            setbacks.addUnused(delivery.sequence, at: now)
            acknowledge(delivery, .again(after: .zero))
        }
        goOn()
    }

    mutating func stop(at now: Duration) {
        intake = .stopped
        for delivery in fetched.removeUnbegun(keepingWaiting: false) { acknowledge(delivery, .again(after: .zero)) }
        goOn()
    }

    /// Stops without acknowledging the messages in progress, so the server redelivers them.
    mutating func abandon() {
        intake = .stopped
        resumeAll()
    }

    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        fetched.waitForEnd(continuation)
        resumeIfEmpty()
    }

    mutating func ended(_ number: Int, at now: Duration) {
        requests.ended(number, at: now)
        pull(at: now)
    }

    /// Requests messages. Returns true if the server was silent for three requests, so the consumer may be gone.
    mutating func tick(at now: Duration) -> Bool {
        let isMissing = requests.tick(at: now, isBusy: !fetched.isEmpty)
        setbacks.tick(at: now, keeping: fetched)
        pull(at: now)
        return isMissing
    }

    /// Records a received message. Returns false if it must not be handled now, for example because it is a copy.
    mutating func arrive(_ delivery: StreamDelivery, at now: Duration) -> Bool {
        requests.heard(at: now)
        if isLost(at: now) { return false }
        requests.arrive()
        guard intake == .open || intake == .unobserved && !requests.isShared else {
            setbacks.addUnused(delivery.sequence, at: now)
            acknowledge(delivery, .again(after: .zero))
            return false
        }
        // The server sent this delivery before it learned that the previous delivery had failed.
        if let pause = setbacks.pause(delivery.sequence, at: now) {
            setbacks.addUnused(delivery.sequence, at: now)
            acknowledge(delivery, .again(after: pause))
            pull(at: now)
            return false
        }
        if fetched.arrive(delivery) { return true }
        setbacks.addUnused(delivery.sequence, at: now)
        pull(at: now)
        return false
    }

    mutating func wait(_ sequence: UInt64, isAlone: Bool = false, take: @escaping @Sendable () -> Void) {
        fetched.wait(sequence, isAlone: isAlone, take: take)
        goOn()
    }

    func attempt(_ sequence: UInt64) -> Int { fetched[sequence].map(setbacks.attempt) ?? 1 }

    /// Returns whether to handle the event. A second copy isn't handled, and is acknowledged after the first.
    mutating func begin(_ id: String, _ sequence: UInt64, at now: Duration) -> Bool {
        guard let delivery = fetched[sequence] else { return false }
        if isLost(at: now) {
            drop(sequence, at: now)
            return false
        }
        guard intake != .stopped else {
            release(sequence, .again(after: .zero), at: now)
            return false
        }
        let state = progress.begin(id, sequence)
        if state == .unknown { return true }
        if state == .done { release(delivery.sequence, .done, at: now) }
        return false
    }

    mutating func end(_ id: String, _ acknowledgement: Acknowledgement, at now: Duration) {
        var failedUntil: Duration?
        if case .again(let delay) = acknowledgement { failedUntil = now + delay }
        let sequences = progress.end(id, isDone: failedUntil == nil)
        for sequence in sequences {
            if let failedUntil { setbacks.addFailure(sequence, due: failedUntil) } else { setbacks.remove(sequence) }
        }
        for sequence in sequences { release(sequence, acknowledgement, at: now) }
    }

    mutating func goOn(after sequence: UInt64, at now: Duration) {
        fetched.goOn(after: sequence)
        goOn()
        pull(at: now)
    }

    /// Forgets a message without an acknowledgement, so the server redelivers it.
    mutating func drop(_ sequence: UInt64, at now: Duration) {
        _ = fetched.remove(sequence, isAcknowledged: false)
        goOn()
        pull(at: now)
    }

    private mutating func release(_ sequence: UInt64, _ acknowledgement: Acknowledgement, at now: Duration) {
        guard let delivery = fetched.remove(sequence, isAcknowledged: true) else { return }
        acknowledge(delivery, acknowledgement)
        goOn()
        pull(at: now)
    }

    mutating func keepAlive(at now: Duration) {
        if isLost(at: now) { return }
        presence.note(at: now)
        for delivery in fetched.deliveries { acknowledge(delivery, .inProgress) }
    }

    /// Returns whether other programs may have received the fetched messages. If so, drops those that weren't handed
    /// out, and closes the link, because more of these messages may arrive on it.
    private mutating func isLost(at now: Duration) -> Bool {
        guard presence.isLost(at: now) else { return false }
        _ = fetched.removeUnbegun(keepingWaiting: false)
        if let link { actions.append(.close(link)) }
        link = nil
        goOn()
        return true
    }

    private mutating func goOn() {
        while intake != .unobserved, let take = fetched.next() { actions.append(.handOut(take)) }
        resumeIfEmpty()
    }

    private mutating func resumeIfEmpty() { if fetched.isEmpty { resumeAll() } }

    private mutating func resumeAll() { actions += fetched.takeTasks().map { .resume($0) } }

    private mutating func acknowledge(_ delivery: StreamDelivery, _ acknowledgement: Acknowledgement) {
        // Without a link, the server redelivers the message, which is then recognized as a copy.
        if let link {
            actions.append(.publish(link, RelayMessage(delivery.acknowledgement, text: acknowledgement.text)))
        }
    }

    private mutating func pull(at now: Duration) {
        guard let link, intake == .open, let request = requests.next(besides: fetched.count, at: now) else { return }
        actions.append(.publish(link, request))
    }
}
