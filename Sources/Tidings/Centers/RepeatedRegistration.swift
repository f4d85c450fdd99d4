import TidingsEngine

// A screen that registers each time that it appears, and is tied to itself as the owner, is called once more for each time. Nothing
// else tells: each of the observers works.

extension NativeNotificationCenter {
    /// Notes an observer with a tie that is about to be added, and warns if its owner has an active one from the same line.
    @usableFromInline
    func willAdd(_ registration: ObserverRegistration, for limit: SenderLimit?, to channel: Channel) {
        countDrops(of: registration, in: channel)
        guard isMonitored || RepeatedRegistrations.areWrittenToConsole,
            let owner = registration.owner?.living, !(MonitoredTask.current.isCausedByMonitor)
        else { return }
        let host = CenterChannelHost.of(channel)
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

/// The lines that registered an owner's observer again, each of which is written once.
private enum RepeatedRegistrations {
    private static let written = Lock<Set<SourcePlace>>([])

    /// Whether warnings are written to the console, as they are in debug builds.
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
