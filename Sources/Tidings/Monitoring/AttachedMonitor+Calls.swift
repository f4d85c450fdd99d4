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

    /// Warns about slow calls and stalled queues. Returns `false` if nothing is running or queued. The timer then ends.
    func lookAtCalls() -> Bool {
        guard let watch, let (calls, monitoring) = watched.withLock({ $0 }) else { return false }
        let underWay = calls()
        look(at: underWay)
        for warning in watch.note(underWay, at: now, isMeasured: isContinuous) { warn(warning) }
        if !underWay.isEmpty { return true }
        watch.timer.rest()
        monitoring.noteRestingWatch()
        // A call or an element that arrived before `noteRestingWatch()` has started no timer. A put adds its element
        // under the mailbox's lock, and then checks for a resting watch. This method records the resting watch, and
        // then checks the calls. So at least one of the two starts the timer.
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
        // A drop or an error that was recorded before `rest()` hasn't started a timer.
        if timeUntilRepeated != nil { beginReporting() }
        return nil
    }
}
