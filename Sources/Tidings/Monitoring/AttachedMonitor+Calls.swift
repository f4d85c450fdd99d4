// How a monitor is warned of calls that take too long, and shown what is under way.

extension AttachedMonitor {
    /// Watches the calls of a center from now on, if the monitor is warned of those that take too long.
    ///
    /// - Parameters:
    ///   - monitoring: The monitors of the center.
    ///   - calls: Lists what is under way in it.
    func watchCalls(of monitoring: Monitoring, _ calls: @escaping @Sendable () -> [CallUnderWay]) {
        guard watch != nil else { return }
        watched.withLock { $0 = (calls, monitoring) }
        monitoring.noteRestingWatch()
        if !calls().isEmpty { beginWatching() }
    }

    /// Starts the timer of the watch, unless it runs.
    func beginWatching() { watch?.begin(for: self) }

    /// Looks at what is under way, and warns about what takes too long.
    ///
    /// - Returns: Whether anything is under way, so that the timer goes on.
    func lookAtCalls() -> Bool {
        guard let watch, let (calls, monitoring) = watched.withLock({ $0 }) else { return false }
        let underWay = calls()
        look(at: underWay)
        for warning in watch.note(underWay, at: now, isMeasured: isContinuous) { warn(warning) }
        if !underWay.isEmpty { return true }
        watch.rest()
        monitoring.noteRestingWatch()
        // What began before that has started no timer. It is seen now: a mailbox that is put into notes the element, under its lock, and
        // then looks whether a watch rests; here the one is noted before the other is looked at.
        return !calls().isEmpty && watch.goOn()
    }

    /// Shows the monitor what is under way, if it looks at that.
    func look(at calls: [CallUnderWay]) {
        guard let looker, mayBeTold else { return }
        Monitoring.causing { looker.look(at: calls, by: ObjectIdentifier(self)) }
    }
}
