extension AttachedMonitor {
    /// `calls` returns the running calls and the non-empty queues of the center.
    func watchCalls(of monitoring: Monitoring, _ calls: @escaping @Sendable () -> [CallUnderWay]) {
        guard watch != nil else { return }
        watched.withLock { $0 = (calls, monitoring) }
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

    /// Warns about calls that take too long. Returns whether calls are running, so that the timer continues.
    func lookAtCalls() -> Bool {
        guard let watch, let (calls, monitoring) = watched.withLock({ $0 }) else { return false }
        let underWay = calls()
        look(at: underWay)
        for warning in watch.note(underWay, at: now, isMeasured: isContinuous) { warn(warning) }
        if !underWay.isEmpty { return true }
        watch.timer.rest()
        monitoring.noteRestingWatch()
        // A call or an element that came before the line above has started no timer, so it has to be found here. A put
        // records its element, under the mailbox's lock, and then checks whether a watch is resting. This method
        // records the resting watch, and then checks the calls.
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

    /// The time until the next report; `nil` if there is none, in which case the timer has ended.
    private func timeLeft() -> Duration? {
        if let left = timeUntilRepeated { return left }
        repeats.rest()
        // A drop or an error that was recorded before the line above hasn't started a timer.
        if timeUntilRepeated != nil { beginReporting() }
        return nil
    }
}
