import Tidings

/// Posts the faults of a relay, similar ones once a second, and adds their types.
final class FaultReports: Sendable {
    private let center: any TypedNotificationCenter
    private let clock: ElapsedClock
    /// The prefix of the subjects of the relay's own messages, with the dot.
    private let prefix: String
    private let limiter = Lock(FaultLimiter())

    init(_ center: any TypedNotificationCenter, _ clock: ElapsedClock, subjectPrefix: String) {
        self.center = center
        self.clock = clock
        prefix = subjectPrefix + "."
    }

    /// Posts a fault, or counts it.
    func report(_ fault: RelayFault) {
        let fault = named(fault)
        if let told = limiter.withLock({ $0.add(fault, at: clock.now) }) { center.post(told) }
    }

    /// Posts the counted faults that are due.
    ///
    /// - Parameter isLast: Whether all are due, because the relay ends.
    func tick(isLast: Bool = false) {
        for fault in limiter.withLock({ $0.takeDue(at: clock.now, isLast: isLast) }) { center.post(fault) }
    }

    /// Returns a fault with the type that its subject belongs to.
    func named(_ fault: RelayFault) -> RelayFault {
        guard fault.type == nil, let subject = fault.subject, subject.hasPrefix(prefix) else { return fault }
        var named = fault
        let rest = subject.dropFirst(prefix.count)
        named.type = String(rest[..<(rest.firstRange(of: ".~.")?.lowerBound ?? rest.endIndex)])
        return named
    }
}

/// The stream of a type with an outgoing durable route.
struct StoredRoute: Sendable {
    var stream = ""
    var waitsWhenFull = true
    /// Whether a message may be dropped when too many wait.
    var isDroppable = true

    /// The route of a type that no route stores, except perhaps that of another program.
    static let unknown = StoredRoute()

    private init() {}

    /// Creates the route of messages that are sent back to a stream.
    init(of stream: String) { self.stream = stream }

    init(deadLettersOf stream: String) { self.stream = "\(stream)_DEAD" }

    /// Creates the route of rows in a table. A dropped row would be read from the table again.
    init(tableOf stream: String) {
        self.stream = stream
        isDroppable = false
    }

    init?(_ route: RelayRoute) {
        guard case .durable(let stream, _, _) = route.kind else { return nil }
        self.stream = stream
        waitsWhenFull = route.fullStream == .wait
    }
}
