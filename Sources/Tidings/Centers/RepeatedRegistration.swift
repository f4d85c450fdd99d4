import TidingsEngine

extension NativeNotificationCenter {
    /// Warns if the owner of a new observer has an active observer from the same line, for the same type and sender.
    @usableFromInline
    func willAdd(_ registration: ObserverRegistration, for limit: SenderLimit?, to channel: Channel) {
        let host = CenterChannelHost.of(channel)
        registration.queue?.countDrops(with: host.drops)
        guard isMonitored || RepeatedRegistrations.areWrittenToConsole,
            let owner = registration.owner?.living, !(MonitoredTask.current.isCausedByMonitor)
        else { return }
        let limit = limit ?? registration.tie?.fields.limit
        for known in observers(of: owner, in: channel) {
            guard known.isFrom(registration), known.registration.tie?.type == registration.tie?.type,
                known.isLimited(exactlyTo: limit)
            else { continue }
            let warning = ObserverWarning.registeredAgain(known.describe(in: host))
            monitoring.send(.warning(warning))
            return RepeatedRegistrations.write(warning, at: registration.place)
        }
    }
}

private enum RepeatedRegistrations {
    private static let written = Lock<Set<SourcePlace>>([])

    static var areWrittenToConsole: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    static func write(_ warning: ObserverWarning, at place: SourcePlace) {
        if areWrittenToConsole, written.withLock({ $0.insert(place).inserted }) { Console.write("\(warning)") }
    }
}
