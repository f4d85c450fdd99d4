extension AttachedMonitor {
    func watchCalls(of monitoring: Monitoring, _ calls: @escaping @Sendable () -> [CallUnderWay]) {
        guard watch != nil else { return }
        watched.withLock { $0 = (calls, monitoring) }
        watchAgain()
    }

    func watchAgain() {
        guard let (calls, monitoring) = watched.withLock({ $0 }) else { return }
        monitoring.noteRestingWatch()
        if !calls().isEmpty { beginWatching() }
    }

    func beginWatching() {
        guard let watch, watch.begin(for: self), let looker, isContinuous else { return }
        looker.checksBegan(by: ObjectIdentifier(self), every: watch.interval) { [weak self] in self?.checkProgress }
    }

    private var checkProgress: CheckProgress? {
        guard let last = watch?.last, let (calls, _) = watched.withLock({ $0 }) else { return nil }
        return CheckProgress(last: last, calls: calls)
    }

    /// Warns about slow calls and stalled queues. If nothing is running or queued, ends the timer and returns `false`.
    func lookAtCalls() -> Bool {
        guard let watch, let (calls, monitoring) = watched.withLock({ $0 }) else { return false }
        let underWay = calls()
        look(at: underWay)
        for warning in watch.note(underWay, at: now, isMeasured: isContinuous) { warn(warning) }
        if !underWay.isEmpty { return true }
        watch.timer.rest()
        monitoring.noteRestingWatch()
        // A queue adds its notification before it reads `hasRestingWatch`. This method sets `hasRestingWatch` before it
        // calls `calls()` again. So either the post or this method restarts the timer.
        return !calls().isEmpty && watch.timer.begin(for: self)
    }

    func look(at calls: [CallUnderWay]) {
        guard let looker, mayBeTold else { return }
        Monitoring.causing { looker.look(at: calls, by: ObjectIdentifier(self)) }
    }
}

extension AttachedMonitor {
    func beginReporting() {
        if repeats.isRunning { return }
        repeats.begin(for: self) { [repeats, clock] in
            while let wait = repeats.monitor?.timeLeft(), (try? await clock.sleep(for: wait)) != nil {
                repeats.monitor?.check()
            }
        }
    }

    /// Returns the time until the next report. If there is nothing to report, ends the timer and returns `nil`.
    private func timeLeft() -> Duration? {
        if let left = timeUntilRepeated { return left }
        repeats.rest()
        // Drops and errors don't start a timer that runs, so those recorded before `rest()` have to start it here.
        if timeUntilRepeated != nil { beginReporting() }
        return nil
    }
}
