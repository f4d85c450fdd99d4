/// The calls and posts that a monitor's timer checks, and the ``Monitoring`` that restarts the timer after its end.
struct WatchedCalls: Sendable {
    let monitoring: Monitoring
    let calls: @Sendable () -> [CallUnderWay]

    /// Whether a post is running. It may be about to call an observer.
    let hasPosts: @Sendable () -> Bool

    var isIdle: Bool { calls().isEmpty && !hasPosts() }
}

extension AttachedMonitor {
    func watchCalls(
        of monitoring: Monitoring, _ calls: @escaping @Sendable () -> [CallUnderWay],
        hasPosts: @escaping @Sendable () -> Bool
    ) {
        guard watch != nil else { return }
        watched.withLock { $0 = WatchedCalls(monitoring: monitoring, calls: calls, hasPosts: hasPosts) }
        watchAgain()
    }

    func watchAgain() {
        guard let watched = watched.withLock({ $0 }) else { return }
        watched.monitoring.noteRestingWatch()
        if !watched.isIdle { beginWatching() }
    }

    func beginWatching() {
        if let watch, watch.begin(for: self) { tellChecksBegan(watch) }
    }

    private func tellChecksBegan(_ watch: CallWatch) {
        guard let looker, isContinuous else { return }
        looker.checksBegan(by: ObjectIdentifier(self), every: watch.interval) { [weak self] in self?.checkProgress }
    }

    private var checkProgress: CheckProgress? {
        guard let last = watch?.last, let calls = watched.withLock({ $0?.calls }) else { return nil }
        return CheckProgress(last: last, calls: calls)
    }

    /// Warns about slow calls and stalled queues. If nothing is running or queued, stops the timer and returns `false`.
    func lookAtCalls() -> Bool {
        guard let watch, let watched = watched.withLock({ $0 }) else { return false }
        let underWay = watched.calls()
        look(at: underWay)
        for warning in watch.note(underWay, at: now, isMeasured: isContinuous) { warn(warning) }
        if !underWay.isEmpty || watched.hasPosts() { return true }
        watch.timer.rest()
        watched.monitoring.noteRestingWatch()
        // A post claims its lane before it reads `hasRestingWatch`. A queue reads `hasRestingWatch` after it has added
        // its notification. This method sets `hasRestingWatch` before it checks again for posts and calls. So the
        // post, the queue or this method restarts the timer. All four operations on `hasRestingWatch` and the lane are
        // sequentially consistent.
        guard !watched.isIdle, watch.timer.begin(for: self) else { return false }
        // `looker` may have found in the meantime that the checks had ended.
        tellChecksBegan(watch)
        return true
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
        // A drop or error recorded before `rest()` found the timer running and didn't start it, so it is started here.
        if timeUntilRepeated != nil { beginReporting() }
        return nil
    }
}
