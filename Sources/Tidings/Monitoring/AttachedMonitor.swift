import TidingsEngine

/// A monitor that is attached to a center or a bus, with its clock and the state of its warnings.
@safe
// `posts` is retained until `deinit`; all else is `Sendable`.
@usableFromInline
package final class AttachedMonitor: @unchecked Sendable {
    private struct ElapsedTime: Sendable {
        let elapsed: @Sendable () -> Duration
        let sleep: @Sendable (Duration) async throws -> Void

        init<C: Clock<Duration>>(_ clock: C) {
            let start = clock.now
            elapsed = { start.duration(to: clock.now) }
            sleep = { try await clock.sleep(for: $0) }
        }
    }

    /// The monitor, if it is one that carries contexts.
    let carrier: (any ContextCarryingMonitor)?
    let isCarrier: Bool

    /// The monitor, if it is one that follows posts.
    let follower: (any FollowingMonitor)?

    /// The monitor, if it is one that looks at what is under way.
    let looker: (any LookingMonitor)?

    /// What the monitor wants to be told.
    let interests: MonitorInterests

    /// Of how many posts it is told of one. Relaxed: a post that misses a change is followed by others.
    private let interval: Atomic<Int>

    /// The posts that there were in each lane, if it is, or may be, told of some only.
    private let posts: Unmanaged<LaneCounters>?

    /// Whether durations are measured by the continuous clock.
    let isContinuous: Bool

    /// What events are looked at for, a ``WarningConcerns``, and when time alone can give rise to a warning, in nanoseconds.
    /// Stored under the lock of the warnings; relaxed, as an event that misses it is followed by others.
    private let concerns = AtomicByte<UInt8>(0)
    private let due = Atomic(Int64.max)

    private let thresholds: WarningThresholds
    private let monitor: any NotificationMonitor
    private let time: ElapsedTime
    private let warnings: Lock<WarningLog>

    /// Tells drops and errors that are due.
    private let repeats = RepeatTimer()

    /// Finds calls that take too long; `nil` if it is not warned of them.
    let watch: CallWatch?

    /// Lists what is under way in the center, and notes that the watch rests; set as the monitor is attached.
    let watched = Lock<(calls: @Sendable () -> [CallUnderWay], monitoring: Monitoring)?>(nil)

    /// Whether the monitor may still be called. The release store in `detach()` is paired with the acquire loads before each
    /// call: code that reads `false` there runs after all that the detaching thread did before.
    private let isAttached = AtomicByte(true)

    @usableFromInline
    package init(
        _ monitor: any NotificationMonitor, _ interests: MonitorInterests?, onePostIn interval: Int,
        _ thresholds: WarningThresholds, _ clock: any Clock<Duration>
    ) {
        precondition(interval > 0, "a monitor is told of one post in 1 or more")
        self.monitor = monitor
        self.interests = interests ?? monitor.interests
        self.interval = Atomic(interval)
        let follower = (monitor as? any FollowingMonitor).flatMap { $0.follows ? $0 : nil }
        self.follower = follower
        unsafe posts = interval > 1 || follower != nil ? .passRetained(LaneCounters()) : nil
        isContinuous = clock is ContinuousClock
        carrier = monitor as? any ContextCarryingMonitor
        looker = monitor as? any LookingMonitor
        isCarrier = carrier != nil
        time = ElapsedTime(clock)
        self.thresholds = thresholds
        warnings = Lock(WarningLog(thresholds))
        watch =
            self.interests.contains(.warnings)
            ? thresholds.call.map { CallWatch(limit: $0, waiting: thresholds.waiting) } : nil
    }

    deinit {
        if let posts = unsafe posts { unsafe posts.release() }
    }

    /// Whether it may still be told anything.
    var mayBeTold: Bool { isAttached.load(ordering: .acquiring) }

    /// Whether it is, or may be, told of some posts only.
    var isSampled: Bool { unsafe posts != nil }

    /// Has it told of one post in so many from now on. Only a monitor that follows, or was attached so, can be.
    func sample(onePostIn interval: Int) { self.interval.store(max(1, interval), ordering: .relaxed) }

    /// The time since the monitor was attached, by its own clock.
    var now: Duration { time.elapsed() }

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

    /// When the monitor is warned; `nil` if it never is.
    var limits: WarningThresholds? { interests.contains(.warnings) ? thresholds : nil }

    /// Whether it is warned of owners that live for too long.
    var looksAtOwners: Bool { limits?.ownerAge != nil }

    /// Reads the clock, if the monitor is interested in durations.
    ///
    /// - Parameter isWarnedOf: Whether the duration that begins is also one that a warning may be given for.
    /// - Returns: The time; `nil` if it need not be measured.
    func beginMeasuring(isWarnedOf: Bool) -> Duration? {
        interests.contains(.durations) || isWarnedOf && interests.contains(.warnings) ? now : nil
    }

    /// Counts a post.
    ///
    /// - Parameters:
    ///   - lane: The number of its lane, if it is in one.
    ///   - isCaused: Whether a delivery of which monitors were told causes the post.
    /// - Returns: Whether the monitor is told of it.
    func takesPost(in lane: Int?, isCaused: Bool) -> Bool {
        if isCaused, follower != nil { return true }
        let interval = interval.load(ordering: .relaxed)
        // Not retained: the reference count is a word to which every thread that posts would write.
        guard interval > 1, let posts = unsafe posts else { return true }
        return unsafe posts._withUnsafeGuaranteedRef { $0.add(1, in: lane) } % interval == 0
    }

    /// Whether the monitor, or what decides about warnings, wants to know of calls in a post.
    func isTold(callOnMainActor: Bool) -> Bool {
        interests.contains(.deliveries) || interests.contains(.warnings) && (callOnMainActor || isTracking)
    }

    /// The same of a post.
    func isTold(postTo observers: Int) -> Bool {
        interests.contains(.posts) || interests.contains(.warnings) && (observers == 0 || isTracking)
    }

    /// Whether the monitor is interested in how long a call in a post took.
    func measures(callOnMainActor: Bool) -> Bool {
        interests.contains(.durations) || callOnMainActor && interests.contains(.warnings)
    }

    /// Tells the monitor an event of a post, in a context that was made for monitors. Nothing is locked, unless a warning is
    /// possible.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - interest: The interest that the monitor must have in it.
    ///   - mayBeWarnedOf: Whether the event itself may give rise to a warning.
    @inline(__always)
    func receiveHere(_ event: NotificationEvent, _ interest: MonitorInterests, mayBeWarnedOf: Bool) {
        if interests.contains(.warnings), mayBeWarnedOf || isTracking, isConcerned(by: event) { return receive(event) }
        guard isAttached.load(ordering: .acquiring) else { return }
        if interests.contains(interest) { monitor.receive(event) }
    }

    /// Whether an event may give rise to a warning. Not inlined, as the event would be copied for it.
    @inline(never)
    private func isConcerned(by event: NotificationEvent) -> Bool {
        let concerns = currentConcerns
        return concerns.contains(.time) || thresholds.concerns(event, concerns)
    }

    /// Tells the monitor an event, if it is interested in it, and the warnings that the event gives rise to.
    @inline(never)
    @usableFromInline
    func receive(_ event: NotificationEvent) {
        guard isAttached.load(ordering: .acquiring) else { return }
        var event = event
        let isWarned = interests.contains(.warnings) && thresholds.concerns(event, currentConcerns)
        let new = isWarned ? note(&event) : []
        if interests.contains(event.interest) { Monitoring.causing { monitor.receive(event) } }
        for warning in new { warn(warning) }
        if interests.contains(.warnings), isTracking { checkIfDue() }
    }

    /// Tells the monitor, if it was warned of a long queue, that this is short again.
    func receive(recoveryOf observer: ObserverDescription, waiting: Int, most: Int) {
        guard isAttached.load(ordering: .acquiring), interests.contains(.warnings) else { return }
        for warning in withWarnings({ $0.noteRecovery(of: observer, waiting, most: most) }) { warn(warning) }
    }

    /// Notes an event by which warnings are decided. An error of an observer is marked if it is repeated.
    private func note(_ event: inout NotificationEvent) -> [ObserverWarning] {
        // The clock and the error are looked at without the lock, as they may be foreign code.
        switch event {
        case .failed(var failure):
            guard let observer = failure.observer else { return [] }
            let (now, words) = (now, failure.error.map { "\($0)" } ?? failure.description)
            failure.isRepeated = withWarnings { $0.noteFailure(words, of: observer, at: now) }
            event = .failed(failure)
            repeats.begin(for: self)
            return []
        case .dropped:
            let now = now
            let new = withWarnings { [event] in $0.note(event, at: now) }
            repeats.begin(for: self)
            return new
        default:
            return withWarnings { [event] in $0.note(event, at: .zero) }
        }
    }

    /// Checks, if there may be something to warn about. Threads that tell much at the same time would else wait for each other.
    private func checkIfDue() {
        if now.wholeNanoseconds >= due.load(ordering: .relaxed) { check() }
    }

    /// When drops and errors are due; `nil` if none are.
    var timeUntilRepeated: Duration? {
        let due = warnings.withLock { $0.repeatedDue }
        return due.map { max($0 - now, .milliseconds(1)) }
    }

    /// Notes an observer that is tied to an owner.
    @usableFromInline
    func track(_ observer: ObserverDescription, owner: ObserverOwner) {
        OwnerTypes.note(owner, at: observer.place)
        guard interests.contains(.warnings) else { return }
        let now = now
        withWarnings { $0.track(observer, owner: owner, since: now) }
    }

    /// Warns about what time alone gives rise to: drops and errors that are to be told, and owners that have lived longer than expected.
    func check() {
        guard isAttached.load(ordering: .acquiring), interests.contains(.warnings) else { return }
        let now = now
        for warning in withWarnings({ $0.takeRepeated(now) }) { warn(warning) }
        // Describing an owner loads its weak reference, which makes a strong one for a moment. If that one is the last, its
        // release runs the owner's `deinit`, so the lock is not held.
        for old in withWarnings({ $0.takeOld(now) }) {
            guard let owner = old.owner.words else { continue }
            warn(.lastingOwner(old.observer, owner: owner, age: now - old.since))
        }
    }

    /// Checks a last time, tells the drops and the errors that were not told yet, and calls the monitor no more.
    func detach() {
        check()
        for warning in withWarnings({ $0.takeRepeated(nil) }) { warn(warning) }
        look(at: [])
        isAttached.store(false, ordering: .releasing)
        watch?.end()
        repeats.end()
        let released = watched.withLock { $0.take() }
        _ = released
    }

    /// By the monitor's clock.
    var sleep: @Sendable (Duration) async throws -> Void { time.sleep }

    /// Tells the monitor a warning.
    func warn(_ warning: ObserverWarning) {
        guard isAttached.load(ordering: .acquiring) else { return }
        Monitoring.causing { monitor.receive(.warning(warning)) }
    }
}

extension Duration {
    /// The nanoseconds, rounded down; as many as there is room for.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000
    }
}
