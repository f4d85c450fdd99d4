import Tidings

extension Inspector {
    /// How many types a snapshot has at most.
    static let mostTypes = 1000

    /// After how many seconds without a look measuring ends.
    private static let patience = 10.0

    /// How many events are measured a second, more or less. One takes the program less than a tenth of a microsecond.
    private static let budget = 100_000.0

    /// How many events a second there are at most where each post is followed. To follow one takes the program some ten times as long
    /// as to post it.
    private static let budgetOfFollowing = 20_000.0

    /// How many posts are followed in a round because one that is followed has caused them: posts may cause each other without end.
    private static let mostCaused = 1000

    /// The time of a round of measuring. Where more happens than is to be measured, monitors are attached for a part of it.
    private static let round = 0.2
    private static let shortestPart = 0.002

    /// How much is measured at this time.
    public var tier: InspectorSnapshot.Tier { state.withLock { $0.tier } }

    /// Measures from now on more, or less.
    ///
    /// Counting and following end by themselves: after a time, and some seconds after the last viewer has gone. To say it again
    /// makes it last longer.
    ///
    /// - Parameters:
    ///   - tier: How much.
    ///   - duration: For how long; ``Options/measuringTime``, if you do not say.
    public func measure(_ tier: InspectorSnapshot.Tier, for duration: Duration? = nil) {
        // What is there before anything is measured is told apart by this look from what comes later, and tells how much happens.
        if tier == .follow, self.tier != .follow { look() }
        let now = stopwatch.seconds
        let end = now + (duration ?? options.measuringTime).inSeconds
        let (detachment, started) = state.withLock { $0.measure(tier, until: end, at: now) }
        detachment.detach()
        guard let started else { return }
        // What an earlier measurement has left.
        log.drain { _ in }
        // Attached at once, so that what follows is measured.
        attach(started)
        let rounds = Task.detached { [weak self, clock] in
            var share = 1.0
            while let next = self?.beginRound(started, share) {
                let pauses = next < 1 ? [Self.round * next, Self.round * (1 - next)] : [Self.round]
                for (index, pause) in pauses.enumerated() {
                    if index == 1 { self?.pause(started) }
                    do { try await clock.sleep(for: .seconds(pause)) } catch { return }
                }
                share = self?.endRound(started, next) ?? 1
            }
        }
        // Cancelled with the measurement, so that no sleep outlasts it.
        if !state.withLock({ $0.keep(rounds, of: started) }) { rounds.cancel() }
    }

    /// Begins a round of a measurement.
    ///
    /// - Returns: For which part of it monitors are attached; `nil` if the measurement is over.
    private func beginRound(_ measurement: Int, _ share: Double) -> Double? {
        let now = stopwatch.seconds
        let detachment = state.withLock { state -> InspectorState.Detachment? in
            if state.measurement != measurement { return InspectorState.Detachment() }
            return state.stopMeasuringIfDue(Self.patience, at: now)
        }
        if let detachment {
            detachment.detach()
            return nil
        }
        for attachment in state.withLock({ $0.resumeAttachments(of: measurement) }) { attachment.resume() }
        return share
    }

    /// Ends a round, and takes what it has measured.
    ///
    /// - Returns: For which part of the next one monitors are to be attached.
    private func endRound(_ measurement: Int, _ share: Double) -> Double {
        log.drain { taken in
            state.withLock { state in
                if state.measurement == measurement { state.add(taken) }
            }
        }
        let rate = eventRate()
        if state.withLock({ $0.tier == .follow }) {
            adapt(to: rate)
            return 1
        }
        return rate <= Self.budget ? 1 : max(Self.shortestPart / Self.round, Self.budget / rate)
    }

    /// Does what the rounds of a measurement do, at a look: they are tasks, and none runs while the cooperative pool is blocked.
    func keepMeasuringInBounds() {
        let now = stopwatch.seconds
        let detachment = state.withLock { $0.tier == .look ? nil : $0.stopMeasuringIfDue(Self.patience, at: now) }
        detachment?.detach()
        if state.withLock({ $0.tier == .follow }) { adapt(to: eventRate()) }
    }

    /// How many events there were a second since the last round ended.
    private func eventRate() -> Double {
        let events = subjects.reduce(0) { $0 + $1.events() }
        let now = stopwatch.seconds
        return state.withLock { $0.eventRate(events, at: now, atLeast: Self.round / 2) }
    }

    /// Follows as many posts as it costs little.
    func adapt(to rate: Double) {
        let interval = max(1, Int((rate / Self.budgetOfFollowing).rounded(.up)))
        let leftOut = state.withLock { $0.sample(onePostIn: interval) }
            .reduce(0) { $0 + $1.sample(onePostIn: interval, andCaused: Self.mostCaused) }
        if leftOut > 0 { state.withLock { $0.noteCausedPosts(leftOut: leftOut) } }
    }

    private func attach(_ measurement: Int) {
        let (isFollowing, rate) = state.withLock { ($0.tier == .follow, $0.lastRate) }
        let attachments = subjects.enumerated().compactMap { index, subject in
            subject.attach(
                LoggingObserver(log: log, follows: isFollowing, subject: Int32(index), stopwatch: stopwatch),
                LoggingObserver.interests)
        }
        state.withLock { $0.keep(attachments, of: measurement) }.detach()
        if isFollowing { adapt(to: rate) }
    }

    private func pause(_ measurement: Int) {
        for attachment in state.withLock({ $0.pauseAttachments(of: measurement) }) { attachment.pause() }
    }

    /// Ends all streams of snapshots and the server, and measures no more. Snapshots can still be asked for.
    public func stop() {
        let (detachment, endings) = state.withLock { $0.stop() }
        detachment.detach()
        for ending in endings { ending() }
    }
}
