import TidingsEngine

@safe
@usableFromInline
// `posts` is retained until `deinit`; everything else is `Sendable`.
package final class AttachedMonitor: @unchecked Sendable {
    let carrier: (any ContextCarryingMonitor)?
    let isCarrier: Bool
    let follower: (any FollowingMonitor)?
    let looker: (any LookingMonitor)?
    let interests: MonitorInterests

    /// The sampling interval. Accesses are relaxed, because a change may take effect a few posts late.
    private let interval: Atomic<Int>

    /// A *caused post* is made by an observer during a call that is reported to monitors. A following monitor receives
    /// the next `causedLeft` caused posts without sampling. `causedLeftOut` counts the caused posts that the monitor
    /// doesn't receive. Accesses are relaxed, so each thread may exceed the limit by one post.
    private let causedLeft = Atomic(Int.max)
    private let causedLeftOut = Atomic(0)

    private let posts: Unmanaged<LaneCounters>?

    let isContinuous: Bool

    /// Copies of ``WarningLog/concerns`` and, in nanoseconds, of ``WarningLog/due``. They are stored under the lock of
    /// the warnings, and read without that lock. Accesses are relaxed, because a change may take effect late.
    private let concerns = AtomicByte<UInt8>(0)
    private let due = Atomic(Int64.max)

    private let thresholds: WarningThresholds
    private let monitor: any NotificationMonitor
    let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let warnings: Lock<WarningLog>
    let repeats = MonitorTimer()

    let watch: CallWatch?

    let watched = Lock<WatchedCalls?>(nil)

    /// The releasing store in `detach()` pairs with the acquiring loads before each call: code that reads `false` sees
    /// everything that the detaching thread did before.
    private let isAttached = AtomicByte(true)

    @usableFromInline
    package init(
        _ monitor: any NotificationMonitor, _ interests: MonitorInterests?, samplingInterval: Int,
        _ thresholds: WarningThresholds, _ clock: any Clock<Duration>
    ) {
        precondition(samplingInterval > 0, "samplingInterval must be at least 1")
        self.monitor = monitor
        self.interests = interests ?? monitor.interests
        interval = Atomic(samplingInterval)
        let follower = (monitor as? any FollowingMonitor).flatMap { $0.follows ? $0 : nil }
        self.follower = follower
        unsafe posts = samplingInterval > 1 || follower != nil ? .passRetained(LaneCounters()) : nil
        isContinuous = clock is ContinuousClock
        carrier = (monitor as? any ContextCarryingMonitor).flatMap { $0.carriesContexts ? $0 : nil }
        looker = monitor as? any LookingMonitor
        isCarrier = carrier != nil
        self.clock = clock
        elapsed = elapsedTime(clock)
        self.thresholds = thresholds
        warnings = Lock(WarningLog(thresholds))
        watch =
            self.interests.contains(.warnings)
            ? thresholds.call.map { CallWatch(limit: $0, waiting: thresholds.waiting) } : nil
    }

    deinit {
        if let posts = unsafe posts { unsafe posts.release() }
    }

    var mayBeTold: Bool { isAttached.load(ordering: .acquiring) }

    var attachedFollower: (any FollowingMonitor)? { mayBeTold ? follower : nil }

    var isSampled: Bool { unsafe posts != nil }

    /// Sets the sampling interval and `causedLeft`. Without this limit, a following monitor would receive every post of
    /// a chain in which each post causes the next. Calling this method has no effect if the monitor doesn't follow
    /// posts and was attached with the interval 1. Returns the number of caused posts that weren't received since the
    /// last call.
    func sample(every interval: Int, andCaused caused: Int) -> Int {
        self.interval.store(max(1, interval), ordering: .relaxed)
        causedLeft.store(caused, ordering: .relaxed)
        return causedLeftOut.exchange(0, ordering: .relaxed)
    }

    var now: Duration { elapsed() }

    private var currentConcerns: WarningConcerns { WarningConcerns(rawValue: concerns.load(ordering: .relaxed)) }

    private var isTracking: Bool { currentConcerns.contains(.time) }

    private func withWarnings<Result: Sendable>(_ step: (inout sending WarningLog) -> Result) -> Result {
        warnings.withLock { log in
            let result = step(&log)
            concerns.store(log.concerns.rawValue, ordering: .relaxed)
            due.store(log.due.map(\.wholeNanoseconds) ?? .max, ordering: .relaxed)
            return result
        }
    }

    var limits: WarningThresholds? { interests.contains(.warnings) ? thresholds : nil }

    var looksAtOwners: Bool { limits?.ownerAge != nil }

    func beginMeasuring(isWarnedOf: Bool) -> Duration? {
        interests.contains(.durations) || isWarnedOf && interests.contains(.warnings) ? now : nil
    }

    /// Counts a post, and returns whether the monitor receives it. For `isCaused`, see `causedLeft`.
    func takesPost(in lane: Int?, isCaused: Bool) -> Bool {
        let isFollowed = isCaused && follower != nil
        if isFollowed, causedLeft.load(ordering: .relaxed) > 0 {
            causedLeft.wrappingSubtract(1, ordering: .relaxed)
            return true
        }
        let interval = interval.load(ordering: .relaxed)
        // `posts` isn't retained here, because every posting thread would write to its reference count.
        guard interval > 1 || isFollowed, let posts = unsafe posts else { return true }
        // Once `causedLeft` is used up, caused posts are sampled with an interval of at least 64.
        let number = unsafe posts._withUnsafeGuaranteedRef { $0.add(1, in: lane) }
        let isTold = number % max(interval, isFollowed ? 64 : 1) == 0
        if isFollowed, !isTold { causedLeftOut.wrappingAdd(1, ordering: .relaxed) }
        return isTold
    }

    func isTold(callOnMainActor: Bool) -> Bool {
        interests.contains(.deliveries) || interests.contains(.warnings) && (callOnMainActor || isTracking)
    }

    func isTold(postTo observers: Int) -> Bool {
        interests.contains(.posts) || interests.contains(.warnings) && (observers == 0 || isTracking)
    }

    func measures(callOnMainActor: Bool) -> Bool {
        interests.contains(.durations) || callOnMainActor && interests.contains(.warnings)
    }

    /// Passes an event on. Must be called inside `Monitoring.causing`. Locks only if the event may cause a warning.
    @inline(__always)
    func receiveHere(_ event: NotificationEvent, _ interest: MonitorInterests, mayBeWarnedOf: Bool) {
        if interests.contains(.warnings), mayBeWarnedOf || isTracking, isConcerned(by: event) { return receive(event) }
        guard isAttached.load(ordering: .acquiring) else { return }
        if interests.contains(interest) { monitor.receive(event) }
    }

    /// Not inlined, because inlining would copy the event.
    @inline(never)
    private func isConcerned(by event: NotificationEvent) -> Bool {
        let concerns = currentConcerns
        return concerns.contains(.time) || thresholds.concerns(event, concerns)
    }

    @inline(never)
    func receive(_ event: NotificationEvent) {
        guard isAttached.load(ordering: .acquiring) else { return }
        var event = event
        let isWarned = interests.contains(.warnings) && thresholds.concerns(event, currentConcerns)
        let new = isWarned ? note(&event) : []
        if interests.contains(event.interest) { Monitoring.causing { monitor.receive(event) } }
        for warning in new { warn(warning) }
        // If every event called `check()`, the threads that send events would contend for its lock.
        if interests.contains(.warnings), isTracking, now.wholeNanoseconds >= due.load(ordering: .relaxed) { check() }
    }

    /// `waiting` is called under the lock. Otherwise, another thread could report a longer queue before this recovery,
    /// and the monitor would regard the queue as short.
    func receive(recoveryOf observer: ObserverDescription, waiting: () -> Int, most: Int) {
        guard isAttached.load(ordering: .acquiring), interests.contains(.warnings) else { return }
        for warning in withWarnings({ $0.long.recover(observer.id, waiting: waiting(), most: most) }) { warn(warning) }
    }

    private func note(_ event: inout NotificationEvent) -> [ObserverWarning] {
        // The clock and the error are accessed without the lock, because they may run user code.
        switch event {
        case .failed(var failure):
            guard let observer = failure.observer else { return [] }
            let (now, words) = (now, failure.error.map { shownWords(of: $0) } ?? failure.description)
            let isRetried = failure.retry != nil
            failure.isRepeated = withWarnings { $0.noteFailure(words, of: observer, isRetried: isRetried, at: now) }
            event = .failed(failure)
            beginReporting()
            return []
        case .dropped:
            let now = now
            let new = withWarnings { [event] in $0.note(event, at: now) }
            beginReporting()
            return new
        default:
            return withWarnings { [event] in $0.note(event, at: .zero) }
        }
    }

    var timeUntilRepeated: Duration? {
        let due = warnings.withLock { $0.repeatedDue }
        return due.map { max($0 - now, .milliseconds(1)) }
    }

    func track(_ observer: ObserverDescription, owner: ObserverOwner) {
        OwnerTypes.note(owner, at: observer.place)
        guard interests.contains(.warnings) else { return }
        let now = now
        withWarnings { $0.track(observer, owner: owner, since: now) }
    }

    func check() {
        guard isAttached.load(ordering: .acquiring), interests.contains(.warnings) else { return }
        let now = now
        for warning in withWarnings({ $0.takeRepeated(now) }) { warn(warning) }
        // Describing an owner retains it. The release may run the owner's `deinit`, so no lock is held.
        for old in withWarnings({ $0.takeOld(now) }) {
            guard let owner = old.owner.words else { continue }
            warn(.lastingOwner(old.observer, owner: owner, age: now - old.since))
        }
    }

    func detach() {
        check()
        for warning in withWarnings({ $0.takeRepeated(nil) }) { warn(warning) }
        look(at: [])
        isAttached.store(false, ordering: .releasing)
        watch?.end()
        repeats.end()
        // The closures in `watched` are released after the unlock, because the release may run user code.
        _ = watched.withLock { $0.take() }
    }

    func warn(_ warning: ObserverWarning) {
        guard isAttached.load(ordering: .acquiring) else { return }
        Monitoring.causing { monitor.receive(.warning(warning)) }
    }
}

private func elapsedTime<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}

extension Duration {
    /// The duration in nanoseconds, rounded toward zero and clamped to the range of `Int64`.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || overflows ? (seconds < 0 ? .min : .max) : sum
    }
}
