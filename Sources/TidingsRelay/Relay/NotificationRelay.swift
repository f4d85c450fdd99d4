package import Tidings

/// Joins a center to a server, through which the same notifications reach other processes and machines.
///
/// To the center it is one more observer: posting stays what it was. What arrives is posted in the center, to all observers but the
/// relay's own, so it does not go back; and as ``RelayedNotification``, with its origin, for who wants to know that.
///
/// ```swift
/// let relay = try NotificationRelay(center, to: NATSServer("nats://127.0.0.1:4222"), as: "shop", routes: [
///     .durable(OrderPlaced.self, .outgoing, stream: "ORDERS")
/// ])
/// Task { await relay.run() }
/// await relay.waitUntilReady()
/// let receipt = await center.deliver(OrderPlaced(number: 7))   // returns when the stream has it
/// ```
///
/// What it promises, beside what the center does:
///
/// - *Order.* What one thread or task posts arrives in the order posted, also when connections are lost in between.
/// - *Transient* notifications arrive at most once, at those who are connected.
/// - *Durable* ones arrive at least once at each consumer. One that arrives again, as it was in progress when a program was lost or
///   because observers failed, says so in its ``NotificationOrigin/deliveryCount``. A second copy is filtered, within the
///   ``RelayOptions/duplicateWindow`` of the stream and the ``RelayOptions/duplicateMemory`` of the consumer.
/// - A durable notification is acknowledged when all its observers have finished, asynchronous ones too, and sequences of it have asked for
///   the next. It is delivered again if nobody observed it, an observer threw an error, a sequence was let go of in the middle, or one
///   called ``RelayedNotification/retry()``.
/// - No failure is silent: each is posted in the center as a ``RelayFault``.
///
/// Observers in the post of what arrives run on the thread that reads the connection, and hold up what comes after it.
public final class NotificationRelay: Sendable {
    /// The center.
    let center: any TypedNotificationCenter
    let options: RelayOptions
    let subjects: Subjects
    let routes: [ActiveRoute]
    /// By type.
    let forms: [ObjectIdentifier: EventForm]
    /// The types of which one of a group gets each notification.
    let sharedTypes: Set<ObjectIdentifier>
    /// The center, if it can leave an observer out of a post.
    let native: NativeNotificationCenter?
    let connector: any LinkConnector
    let clock: RelayClock
    let reports: FaultReports
    /// The streams of types that go out, by type.
    let stored: [ObjectIdentifier: StoredRoute]
    /// The subject for answers, with the dot before their number.
    let inbox: String
    let questions: Questions
    let outbox: Performer<Outbox>
    let transients: Lock<TransientQueue>
    let identities = Identities()
    /// What tells this relay from another one of the same name.
    let instance: String
    let timestamps = Timestamps()
    let lagWatch = Lock(LagWatch())
    let isReady = Switch()
    let isOver = Switch()
    /// Whether it sends from a table.
    let hasTable: Bool

    struct State {
        var link: (any Link)?
        /// What the last server that was connected takes, in bytes; at first what servers take unless they are told otherwise.
        var maximumPayload = 1 << 20
        /// The relay's own observations, by the type that they observe.
        var observed: [ObjectIdentifier: ObservedRoute] = [:]
        var hasRun = false
        /// Groups of what is transient that are not subscribed to, as nobody observes their type.
        var unobserved: [ActiveRoute] = []
        /// The subscriptions of those that somebody observes by now.
        var late: [any AnyObject & Sendable] = []
        /// What is sent from a table.
        var sending: TableSending?
    }
    let state = Lock(State())

    /// Makes a relay for any kind of link.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - connector: Connects to the server.
    ///   - options: How the relay works.
    ///   - routes: What it carries.
    ///   - table: From where it sends what is stored there, of the types that durable routes send.
    /// - Throws: A fault if a name cannot be used.
    package init(
        _ center: any TypedNotificationCenter, connector: any LinkConnector, options: RelayOptions,
        routes: [RelayRoute], outbox table: (any NotificationTable)? = nil
    ) throws(RelayFault) {
        let options = try options.valid
        self.options = options
        instance = options.instance ?? Identities.random()
        self.center = center
        let clock = RelayClock(options.clock)
        self.clock = clock
        let reports = FaultReports(center, clock, subjectPrefix: options.subjectPrefix)
        self.reports = reports
        native = center as? NativeNotificationCenter
        self.connector = connector
        let subjects = try Subjects(prefix: options.subjectPrefix)
        self.subjects = subjects
        var active: [ActiveRoute] = []
        for route in routes.flatMap(\.parts) { active.append(try ActiveRoute(route, options, subjects)) }
        try Self.checkThatRoutesDiffer(active)
        self.routes = active
        forms = Dictionary(active.map { ($0.route.type, $0.form) }) { first, other in
            // Where one route of a type has partitions, so has what is sent.
            first.partition == nil ? other : first
        }
        sharedTypes = Set(active.filter { $0.route.group != nil }.map(\.route.type))
        inbox = "\(options.inboxPrefix).\(Identities.random())."
        questions = Questions(inbox: inbox)
        stored = Dictionary(
            active.compactMap { route in StoredRoute(route.route).map { (route.route.type, $0) } }
        ) { first, _ in first }
        outbox = Self.makeOutbox(reports, options, clock, stored: active.flatMap(\.storedPatterns))
        transients = Lock(
            TransientQueue(
                limit: options.transientLimit, byteLimit: options.transientByteLimit,
                dropsOldest: options.transientPolicy == .dropOldest))
        hasTable = table != nil
        // Before the relay observes the center: what is committed from now on is posted past it.
        if let table {
            let sending = TableSending(
                table.relayed, as: options.name, active, patience: options.handOverTime)
            state.withLock { $0.sending = sending }
            try sending.begin(self)
        }
        for route in routes where route.direction != .incoming {
            let observed = route.observe(self)
            state.withLock { $0.observed[route.type] = observed }
        }
    }

    /// A type goes out by one route, and each route that reads a stream has a consumer of its own.
    private static func checkThatRoutesDiffer(_ routes: [ActiveRoute]) throws(RelayFault) {
        var outgoing: Set<ObjectIdentifier> = []
        var consumers: Set<String> = []
        for route in routes {
            if route.route.direction != .incoming, !outgoing.insert(route.route.type).inserted {
                throw RelayFault(.invalidName, "two routes of \(route.route.eventName) go out")
            }
            if let said = route.route.retention, let stream = route.stream,
                routes.contains(where: { $0.stream == stream && ![nil, said].contains($0.route.retention) })
            {
                throw RelayFault(
                    .invalidConfiguration, "two routes of the stream \(stream) say how long it keeps notifications")
            }
            if let reading = route.reading, !consumers.insert("\(reading.stream) \(reading.consumer.name)").inserted {
                throw RelayFault(
                    .invalidName, "two routes read \(reading.stream) as the consumer \(reading.consumer.name)")
            }
        }
    }

    /// Returns when the relay is connected and everything it subscribes to is on its way; also when the relay or the task ends.
    ///
    /// Observers that were registered before the call count: what comes after it reaches them.
    public func waitUntilReady() async {
        await isReady.wait()
        // When the relay connected, they may not have been there yet.
        lookForObservers()
    }

    /// Whether somebody has begun to run it.
    var hasRun: Bool { state.withLock { $0.hasRun } }

    /// What is sent from a table; `nil` if there is none.
    var sending: TableSending? { state.withLock { $0.sending } }

    /// How many durable notifications wait to be stored, without those that wait in the table of an outbox.
    public var waitingCount: Int { outbox.update { $0.count } }

    /// Posts a fault.
    func report(_ fault: RelayFault) { reports.report(fault) }

    /// Posts what the relay is now.
    func tell(_ state: RelayStateChanged.State) { center.post(RelayStateChanged(options.name, state)) }

    /// The places of the relay's own observations and holds.
    var place: SourcePlace { SourcePlace() }

    private static func makeOutbox(
        _ reports: FaultReports, _ options: RelayOptions, _ clock: RelayClock, stored: [SubjectPattern]
    ) -> Performer<Outbox> {
        let machine = Outbox(
            limits: Outbox.Limits(count: options.outboxLimit, bytes: options.outboxByteLimit),
            dropsOldest: options.outboxPolicy == .dropOldest,
            window: options.publishingWindow, patience: .seconds(5))
        return Performer(machine) { performer, action in
            switch action {
            case .send(let link, let message, let number):
                guard let fault = link.publish(message).fault(of: message, allowed: link.maximumPayload) else { return }
                performer.update { $0.answer(number, .failure(fault), at: clock.now) }
            case .settle(let settle, let result): settle(result)
            case .resume(let continuation): continuation.resume()
            case .tellFull(let fault): reports.report(fault)
            case .missStream(let link, let message, let number):
                // `stored` is what the streams of the routes have.
                let fault = RelayFault(
                    .rejected, subject: message.subject, id: message.header("Nats-Msg-Id"), "no stream takes it")
                if stored.contains(where: { $0.contains(message.subject) }) {
                    reports.report(fault)
                    // The next link looks whether the stream exists, and makes it again.
                    link.close()
                } else {
                    // It would hold up all others for ever.
                    performer.update { $0.answer(number, .failure(fault), at: clock.now) }
                }
            }
        }
    }
}

extension PublishingOutcome {
    /// Why a message will never be sent; `nil` if it is sent, or can be over another link.
    func fault(of message: RelayMessage, allowed limit: Int) -> RelayFault? {
        switch self {
        case .accepted, .ended: nil
        case .tooLarge:
            RelayFault(
                .payloadTooLarge, subject: message.subject, "\(message.size) bytes, of \(limit) allowed")
        case .impossible(let detail): RelayFault(.rejected, subject: message.subject, detail)
        }
    }
}
