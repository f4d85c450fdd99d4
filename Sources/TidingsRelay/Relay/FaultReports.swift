final class FaultReports: Sendable {
    private let center: any TypedNotificationCenter
    private let clock: ElapsedClock
    private let prefix: String
    private let limiter = Lock(FaultLimiter())

    init(_ center: any TypedNotificationCenter, _ clock: ElapsedClock, subjectPrefix: String) {
        self.center = center
        self.clock = clock
        prefix = subjectPrefix + "."
    }

    func report(_ fault: RelayFault) {
        let fault = named(fault)
        if let told = limiter.withLock({ $0.add(fault, at: clock.now) }) { center.post(told) }
    }

    func tick(isLast: Bool = false) {
        for fault in limiter.withLock({ $0.takeDue(at: clock.now, isLast: isLast) }) { center.post(fault) }
    }

    func named(_ fault: RelayFault) -> RelayFault {
        guard fault.type == nil, let subject = fault.subject, subject.hasPrefix(prefix) else { return fault }
        var named = fault
        let rest = subject.dropFirst(prefix.count)
        named.type = String(rest[..<(rest.firstRange(of: ".~.")?.lowerBound ?? rest.endIndex)])
        return named
    }
}
