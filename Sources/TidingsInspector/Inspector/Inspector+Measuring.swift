import Tidings

extension Inspector {
    /// The maximum number of types in a snapshot.
    static let mostTypes = 1000

    /// The number of seconds without an inspection after which measuring ends.
    private static let patience = 10.0

    /// The approximate number of events that are measured per second. Each takes the program less than a tenth of a
    /// microsecond.
    private static let budget = 100_000.0

    /// The maximum number of events per second at which each post is followed. Following a post takes the program about
    /// ten times as long as posting it.
    private static let budgetOfFollowing = 20_000.0

    /// The maximum number of posts that are followed per round because a followed post has caused them. Posts may cause
    /// each other endlessly.
    private static let mostCaused = 1000

    /// The duration of a round of measuring. If there are more events than the budget allows, monitors are attached for
    /// a part of the round.
    private static let round = 0.2
    private static let shortestPart = 0.002

    /// The current tier.
    public var tier: InspectorSnapshot.Tier { state.withLock { $0.tier } }

    /// Changes the tier.
    ///
    /// Counting and following end on their own: after a time, and some seconds after the last viewer has left. Calling
    /// this again extends the time.
    ///
    /// - Parameters:
    ///   - tier: The tier.
    ///   - duration: The duration; ``Options/measuringTime`` by default.
    public func measure(_ tier: InspectorSnapshot.Tier, for duration: Duration? = nil) {
        // This inspection distinguishes state from before the measurement from later state, and determines the rate of
        // events.
        if tier == .follow, self.tier != .follow { look() }
        let now = stopwatch.seconds
        let end = now + (duration ?? options.measuringTime).inSeconds
        let (detachment, started) = state.withLock { $0.measure(tier, until: end, at: now) }
        detachment.detach()
        guard let started else { return }
        // Discards entries of an earlier measurement.
        log.drain { _ in }
        // Attached at once, so that all following events are measured.
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
        // The task is cancelled with the measurement, so that no sleep outlasts it.
        if !state.withLock({ $0.keep(rounds, of: started) }) { rounds.cancel() }
    }

    /// Starts a round of a measurement.
    ///
    /// - Returns: The share of the round for which monitors are attached, or `nil` if the measurement is over.
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

    /// Ends a round, and processes its measurements.
    ///
    /// - Returns: The share of the next round for which monitors are to be attached.
    private func endRound(_ measurement: Int, _ share: Double) -> Double {
        let origin = stopwatch.origin()
        log.drain { taken in
            state.withLock { state in
                if state.measurement == measurement { state.add(taken, origin: origin) }
            }
        }
        let rate = eventRate()
        if state.withLock({ $0.tier == .follow }) {
            adapt(to: rate)
            return 1
        }
        return rate <= Self.budget ? 1 : max(Self.shortestPart / Self.round, Self.budget / rate)
    }

    /// Performs the work of the measuring rounds during an inspection. The rounds are tasks, and don't run while the
    /// cooperative pool is blocked.
    func keepMeasuringInBounds() {
        let now = stopwatch.seconds
        let detachment = state.withLock { $0.tier == .look ? nil : $0.stopMeasuringIfDue(Self.patience, at: now) }
        detachment?.detach()
        if state.withLock({ $0.tier == .follow }) { adapt(to: eventRate()) }
    }

    /// Returns the number of events per second since the last round ended.
    private func eventRate() -> Double {
        let events = subjects.reduce(0) { $0 + $1.events() }
        let now = stopwatch.seconds
        return state.withLock { $0.eventRate(events, at: now, atLeast: Self.round / 2) }
    }

    /// Chooses the fraction of posts to follow so that the cost stays low.
    func adapt(to rate: Double) {
        let interval = max(1, Int((rate / Self.budgetOfFollowing).rounded(.up)))
        let leftOut = state.withLock { $0.sample(every: interval) }
            .reduce(0) { $0 + $1.sample(every: interval, andCaused: Self.mostCaused) }
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

    /// Ends all streams of snapshots, the server and all measuring. Snapshots can still be requested.
    public func stop() {
        let (detachment, endings) = state.withLock { $0.stop() }
        detachment.detach()
        for ending in endings { ending() }
    }
}
