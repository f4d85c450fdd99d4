/// The state from which the warnings of one monitor are decided, under the monitor's lock.
struct WarningLog: Sendable {
    typealias Owned = OwnedObservers.Owned

    /// A queue that was warned about.
    private struct LongQueue {
        /// How many waited when it was warned about the last time.
        let told: Int
        /// The most that waited.
        var most: Int
    }

    /// How many types may have an observer that has ended before all are forgotten, so that their number is bounded.
    private static let mostEnded = 1000

    private let thresholds: WarningThresholds

    /// The queues that were warned about, until they recover or their observers end.
    private var long: [ObserverDescription.ID: LongQueue] = [:]

    /// The observers that were warned about for a slow call on the main actor, until they end.
    private var slow: Set<ObserverDescription.ID> = []

    /// The drops by the policies of observers.
    private var drops: RepeatedEvents

    /// The errors that observers threw.
    private var failures: RepeatedEvents

    /// The observers that were the last of their type to end, until a post to no observer, or a registration.
    private var ended: [NotificationSubject: ObserverDescription] = [:]

    /// The observers that are tied to an owner and were not warned about, the oldest first.
    private var owned = OwnedObservers()

    init(_ thresholds: WarningThresholds) {
        self.thresholds = thresholds
        drops = RepeatedEvents(every: thresholds.dropInterval)
        failures = RepeatedEvents(every: thresholds.failureInterval)
    }

    /// Which states the next events are looked at for, beside the thresholds.
    var concerns: WarningConcerns {
        var concerns: WarningConcerns = []
        if !long.isEmpty { concerns.insert(.longQueues) }
        if !ended.isEmpty { concerns.insert(.endedObservers) }
        if !owned.isEmpty || !drops.isEmpty || !failures.isEmpty { concerns.insert(.time) }
        return concerns
    }

    /// When time alone can give rise to a warning: not before this; `nil` if it cannot.
    var due: Duration? {
        let ownerDue = thresholds.ownerAge.flatMap { age in owned.first.map { $0.since + age } }
        return [ownerDue, repeatedDue].compactMap(\.self).min()
    }

    /// When drops and errors are to be told.
    var repeatedDue: Duration? { [drops.due, failures.due].compactMap(\.self).min() }

    /// Notes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of the event, which is used if something was dropped or has failed.
    /// - Returns: The warnings that the event gives rise to.
    mutating func note(_ event: NotificationEvent, at now: Duration) -> [ObserverWarning] {
        switch event {
        case .queued(let observer, let waiting): noteQueue(of: observer, waiting)
        // Most deliveries need no more than this look.
        case .delivered(let delivery) where delivery.isOnMainActor || !long.isEmpty:
            noteCall(delivery) + noteRecovery(of: delivery.observer, delivery.waiting)
        case .dropped(let observer, let total):
            // The first drop of an observer is told as an event alone, also where another thread notes a later one before it.
            noteDrop(observer, total, at: now)
        case .posted(let post): noteNobody(post)
        case .registered(let observer): noteRegistration(observer)
        case .ended(let observer, _): noteEnd(observer)
        default: []
        }
    }

    // MARK: Queues

    private mutating func noteQueue(of observer: ObserverDescription, _ waiting: Int) -> [ObserverWarning] {
        guard let most = thresholds.waiting, waiting > most else { return [] }
        if var known = long[observer.id], waiting < 2 * known.told {
            known.most = max(known.most, waiting)
            long[observer.id] = known
            return []
        }
        long[observer.id] = LongQueue(told: waiting, most: waiting)
        return [.longQueue(observer, waiting: waiting)]
    }

    /// Notes how many notifications wait for an observer when one has been taken.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - waiting: How many wait.
    ///   - most: How many did, if that is known better than by what was noted.
    /// - Returns: The warning that this ends.
    mutating func noteRecovery(
        of observer: ObserverDescription, _ waiting: Int, most: Int = 0
    ) -> [ObserverWarning] {
        guard !long.isEmpty, let limit = thresholds.waiting, waiting <= limit / 2,
            let queue = long.removeValue(forKey: observer.id)
        else { return [] }
        return [.queueRecovered(observer, most: max(queue.most, most))]
    }

    // MARK: Calls

    private mutating func noteCall(_ delivery: NotificationDelivery) -> [ObserverWarning] {
        guard delivery.isOnMainActor, let most = thresholds.mainActorCall, let duration = delivery.duration,
            duration > most, slow.insert(delivery.observer.id).inserted
        else { return [] }
        return [.slowOnMainActor(delivery.observer, duration: duration)]
    }

    // MARK: What happens again and again

    private mutating func noteDrop(
        _ observer: ObserverDescription, _ total: Int, at now: Duration
    ) -> [ObserverWarning] {
        _ = drops.note(observer, total: total, isFirst: total == 1, at: now)
        return []
    }

    /// Notes an error that an observer threw.
    ///
    /// - Parameters:
    ///   - error: The error, in words.
    ///   - observer: The observer.
    ///   - now: The time.
    /// - Returns: Whether another one was told within the interval, so that this one is put together with others.
    mutating func noteFailure(_ error: String, of observer: ObserverDescription, at now: Duration) -> Bool {
        !failures.note(observer, latest: error, at: now)
    }

    /// Takes out the drops and the errors that are to be told.
    ///
    /// - Parameter now: The time; `nil` to take all.
    /// - Returns: The warnings.
    mutating func takeRepeated(_ now: Duration?) -> [ObserverWarning] {
        drops.take(now).map(\.drops) + failures.take(now).map(\.failures)
    }

    // MARK: Observers that come and end

    private mutating func noteRegistration(_ observer: ObserverDescription) -> [ObserverWarning] {
        if !ended.isEmpty { ended[observer.subject] = nil }
        return []
    }

    private mutating func noteEnd(_ observer: ObserverDescription) -> [ObserverWarning] {
        long[observer.id] = nil
        slow.remove(observer.id)
        owned.remove(observer.id)
        if thresholds.postsToNobody, !observer.isLimitedToSender {
            if ended.count >= Self.mostEnded { ended.removeAll() }
            ended[observer.subject] = observer
        }
        return [drops.remove(observer.id)?.drops, failures.remove(observer.id)?.failures].compactMap(\.self)
    }

    private mutating func noteNobody(_ post: NotificationPost) -> [ObserverWarning] {
        guard !ended.isEmpty, post.observers == 0, let observer = ended.removeValue(forKey: post.subject) else {
            return []
        }
        return [.reachedNobody(observer, postedAt: post.place)]
    }

    // MARK: Owners

    /// Notes an observer that is tied to an owner.
    mutating func track(_ observer: ObserverDescription, owner: ObserverOwner, since now: Duration) {
        if thresholds.ownerAge != nil { owned.append(Owned(observer: observer, owner: owner, since: now)) }
    }

    /// Takes out the observers that are older than expected.
    mutating func takeOld(_ now: Duration) -> [Owned] {
        guard let age = thresholds.ownerAge else { return [] }
        return owned.removeFirst { now - $0.since > age }
    }
}

extension RepeatedEvents.Noted {
    fileprivate var drops: ObserverWarning { .drops(observer, count: count, total: total) }
    fileprivate var failures: ObserverWarning { .failures(observer, count: count, latest: latest) }
}

/// What a monitor's events are looked at for at this time, so that most are no occasion to take the lock of its warnings.
struct WarningConcerns: OptionSet {
    let rawValue: UInt8

    /// A queue was warned about, and may recover.
    static let longQueues = WarningConcerns(rawValue: 1)
    /// An observer of some type was the last to end.
    static let endedObservers = WarningConcerns(rawValue: 2)
    /// Time alone can give rise to a warning.
    static let time = WarningConcerns(rawValue: 4)
}

extension WarningThresholds {
    /// Whether an event changes what warnings are decided from, or gives rise to one.
    func concerns(_ event: NotificationEvent, _ concerns: WarningConcerns) -> Bool {
        switch event {
        case .queued(_, let waiting): self.waiting.map { waiting > $0 } ?? false
        case .delivered(let delivery): concerns.contains(.longQueues) || isSlow(delivery)
        case .dropped: dropInterval != nil
        case .failed(let failure): failureInterval != nil && failure.observer != nil
        case .posted(let post): post.observers == 0 && concerns.contains(.endedObservers)
        case .registered: concerns.contains(.endedObservers)
        case .ended: true
        default: false
        }
    }

    private func isSlow(_ delivery: NotificationDelivery) -> Bool {
        guard delivery.isOnMainActor, let most = mainActorCall, let duration = delivery.duration else { return false }
        return duration > most
    }
}
