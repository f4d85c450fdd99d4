import Tidings

extension Inspector {
    static let mostTypes = 1000
    private static let patience = 10.0
    /// The number of events per second above which monitors are paused for a part of each round.
    private static let budget = 100_000.0
    /// The events per second above which only some posts are followed. Following takes ten times as long as counting.
    private static let budgetOfFollowing = 20_000.0
    /// The maximum number of posts by observers that are followed without sampling between two calls of `adapt`. The
    /// limit bounds the cost of endless chains in which each post causes the next.
    private static let mostCaused = 1000
    /// The time in seconds after which the rate of events is measured again. This period is a round.
    private static let round = 0.2
    private static let shortestPart = 0.002

    /// The tier, which determines how much the inspector measures.
    public var tier: InspectorSnapshot.Tier { state.withLock { $0.tier } }

    /// Changes the tier.
    ///
    /// Counting and following end after `duration`. They also end if there has been no viewer and no snapshot for ten
    /// seconds. To continue longer, call this method again.
    ///
    /// - Parameters:
    ///   - tier: The new tier.
    ///   - duration: The time until the inspector returns to the tier `look`, by default ``Options/measuringTime``.
    public func measure(_ tier: InspectorSnapshot.Tier, for duration: Duration? = nil) {
        // The call of `look` updates the rate of events. This rate determines how many posts are followed.
        if tier == .follow, self.tier != .follow { look() }
        let now = stopwatch.seconds
        let end = now + (duration ?? options.measuringTime).inSeconds
        let (detachment, started) = state.withLock { $0.measure(tier, until: end, at: now) }
        detachment.detach()
        guard let started else { return }
        log.drain { _ in }
        // Attaching in the task instead would miss events between the return of this method and the start of the task.
        attach(started)
        let rounds = Task.detached { [weak self, clock] in
            var share = 1.0
            while self?.beginRound(started) == true {
                let pauses = share < 1 ? [Self.round * share, Self.round * (1 - share)] : [Self.round]
                for (index, pause) in pauses.enumerated() {
                    if index == 1 { self?.pause(started) }
                    do { try await clock.sleep(for: .seconds(pause)) } catch { return }
                }
                share = self?.endRound(started) ?? 1
            }
        }
        // If the measurement has already ended, nothing else cancels the task, and its sleep would continue.
        if !state.withLock({ $0.keep(rounds, of: started) }) { rounds.cancel() }
    }

    private func beginRound(_ measurement: Int) -> Bool {
        let now = stopwatch.seconds
        let detachment = state.withLock { state -> InspectorState.Detachment? in
            if state.measurement != measurement { return InspectorState.Detachment() }
            return state.stopMeasuringIfDue(Self.patience, at: now)
        }
        if let detachment {
            detachment.detach()
            return false
        }
        for attachment in state.withLock({ $0.attachments(pausing: false, of: measurement) }) { attachment.resume() }
        return true
    }

    private func endRound(_ measurement: Int) -> Double {
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

    /// Ends a measurement that is over, and adapts a running one to the rate of events. Each inspection calls this
    /// method, because the task of the rounds can't run while the cooperative pool is blocked.
    func keepMeasuringInBounds() {
        let now = stopwatch.seconds
        let detachment = state.withLock { $0.tier == .look ? nil : $0.stopMeasuringIfDue(Self.patience, at: now) }
        detachment?.detach()
        if state.withLock({ $0.tier == .follow }) { adapt(to: eventRate()) }
    }

    private func eventRate() -> Double {
        let events = subjects.reduce(0) { $0 + $1.events() }
        let now = stopwatch.seconds
        return state.withLock { $0.eventRate(events, at: now, atLeast: Self.round / 2) }
    }

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
                LoggingObserver(log: log, follows: isFollowing, subject: Int32(index), stopwatch: stopwatch))
        }
        state.withLock { $0.keep(attachments, of: measurement) }.detach()
        if isFollowing { adapt(to: rate) }
    }

    private func pause(_ measurement: Int) {
        for attachment in state.withLock({ $0.attachments(pausing: true, of: measurement) }) { attachment.pause() }
    }

    /// Ends all streams of snapshots, the server and all measuring. You can still take snapshots.
    public func stop() {
        let (detachment, endings) = state.withLock { $0.stop() }
        detachment.detach()
        for ending in endings { ending() }
    }
}
