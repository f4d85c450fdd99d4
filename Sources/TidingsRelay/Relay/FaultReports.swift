import Tidings

/// Posts the faults of a relay, those that are alike once a second, and names what they are about.
final class FaultReports: Sendable {
    private let center: any TypedNotificationCenter
    private let clock: ElapsedClock
    /// What the subjects of the relay's own messages begin with, with the dot.
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

    /// Posts what was counted and is due.
    ///
    /// - Parameter isLast: Whether all is, as the relay ends.
    func tick(isLast: Bool = false) {
        for fault in limiter.withLock({ $0.takeDue(at: clock.now, isLast: isLast) }) { center.post(fault) }
    }

    /// A fault with the type that its subject is of.
    func named(_ fault: RelayFault) -> RelayFault {
        guard fault.type == nil, let subject = fault.subject, subject.hasPrefix(prefix) else { return fault }
        var named = fault
        let rest = subject.dropFirst(prefix.count)
        named.type = String(rest[..<(rest.firstRange(of: ".~.")?.lowerBound ?? rest.endIndex)])
        return named
    }
}

/// Where a type is stored that goes out by a durable route.
struct StoredRoute: Sendable {
    var stream = ""
    var waitsWhenFull = true
    /// Whether it may be dropped when too much waits.
    var isDroppable = true

    /// For a type that no route stores, but perhaps that of another program.
    static let unknown = StoredRoute()

    private init() {}

    /// For what is sent back into a stream.
    init(of stream: String) { self.stream = stream }

    init(deadLettersOf stream: String) { self.stream = "\(stream)_DEAD" }

    /// For what is in a table: what is dropped here would be taken from there again.
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
