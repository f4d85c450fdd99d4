/// The events that may lead to warnings of one monitor. Protected by the monitor's lock.
struct WarningLog: ~Copyable, Sendable {
    typealias Owned = OwnedObservers.Owned

    private static let mostEnded = 1000

    private let thresholds: WarningThresholds
    var long: LongQueues
    /// The duration of each observer's first slow call.
    private var slow: [ObserverDescription.ID: Duration] = [:]
    private var drops: RepeatedEvents
    private var failures: RepeatedEvents
    private var retries: RepeatedEvents

    /// For each type, the observer that ended last.
    private var ended: [NotificationSubject: ObserverDescription] = [:]

    private var owned = OwnedObservers()

    init(_ thresholds: WarningThresholds) {
        self.thresholds = thresholds
        long = LongQueues(limit: thresholds.waiting)
        drops = RepeatedEvents(every: thresholds.dropInterval) { noted in
            .drops(noted.observer, count: noted.count, total: noted.total)
        }
        failures = RepeatedEvents(every: thresholds.failureInterval) { noted in
            .failures(noted.observer, count: noted.count, latest: noted.latest)
        }
        retries = RepeatedEvents(every: thresholds.failureInterval) { noted in
            .retries(noted.observer, count: noted.count, latest: noted.latest)
        }
    }

    /// The kinds of events that have to be checked even if they don't exceed a threshold.
    var concerns: WarningConcerns {
        var concerns: WarningConcerns = []
        if !long.isEmpty { concerns.insert(.longQueues) }
        if !ended.isEmpty { concerns.insert(.endedObservers) }
        if !owned.isEmpty || !drops.isEmpty || !failures.isEmpty || !retries.isEmpty {
            concerns.insert(.time)
        }
        return concerns
    }

    var due: Duration? {
        let ownerDue = thresholds.ownerAge.flatMap { age in owned.first.map { $0.since + age } }
        return [ownerDue, repeatedDue].compactMap(\.self).min()
    }

    var repeatedDue: Duration? { [drops.due, failures.due, retries.due].compactMap(\.self).min() }

    mutating func note(_ event: NotificationEvent, at now: Duration) -> [ObserverWarning] {
        switch event {
        case .queued(let observer, let waiting): return long.note(observer, waiting: waiting)
        case .delivered(let delivery) where delivery.isOnMainActor || !long.isEmpty:
            let warnings = noteCall(delivery)
            // The event of a call in the post has no queue length, even if the observer is a Combine publisher, which
            // has a queue. That queue reports its recovery itself.
            if delivery.observer.delivery.isInPost { return warnings }
            return warnings + long.recover(delivery.observer.id, waiting: delivery.waiting)
        case .dropped(let observer, let total) where !observer.intendsDrops:
            // The event itself reports an observer's first drop, so that drop isn't counted for a warning. `total == 1`
            // identifies the first drop, because the events of two threads may arrive in either order.
            _ = drops.note(observer, total: total, isFirst: total == 1, at: now)
        case .posted(let post): return noteNobody(post)
        case .registered(let observer) where !ended.isEmpty: ended[observer.subject] = nil
        case .ended(let observer, _): return noteEnd(observer)
        default: break
        }
        return []
    }

    private mutating func noteCall(_ delivery: NotificationDelivery) -> [ObserverWarning] {
        guard thresholds.isSlow(delivery), let duration = delivery.duration, slow[delivery.observer.id] == nil else {
            return []
        }
        slow[delivery.observer.id] = duration
        return [.slowOnMainActor(delivery.observer, duration: duration)]
    }

    /// Returns `true` if another error of the observer was reported within the interval. If so, `error` is aggregated.
    mutating func noteFailure(
        _ error: String, of observer: ObserverDescription, isRetried: Bool, at now: Duration
    ) -> Bool {
        isRetried
            ? !retries.note(observer, latest: error, at: now) : !failures.note(observer, latest: error, at: now)
    }

    mutating func takeRepeated(_ now: Duration?) -> [ObserverWarning] {
        drops.take(now) + failures.take(now) + retries.take(now)
    }

    private mutating func noteEnd(_ observer: ObserverDescription) -> [ObserverWarning] {
        long.remove(observer.id)
        slow[observer.id] = nil
        owned.remove(observer.id)
        if thresholds.postsToNobody, !observer.isLimitedToSender {
            if ended.count >= Self.mostEnded { ended.removeAll() }
            ended[observer.subject] = observer
        }
        let told = [drops.remove(observer.id), failures.remove(observer.id), retries.remove(observer.id)]
        return told.compactMap(\.self)
    }

    private mutating func noteNobody(_ post: NotificationPost) -> [ObserverWarning] {
        guard !ended.isEmpty, post.observers == 0, let observer = ended.removeValue(forKey: post.subject) else {
            return []
        }
        return [.reachedNobody(observer, postedAt: post.place)]
    }

    mutating func track(_ observer: ObserverDescription, owner: ObserverOwner, since now: Duration) {
        if thresholds.ownerAge != nil { owned.append((observer, owner, now)) }
    }

    mutating func takeOld(_ now: Duration) -> [Owned] {
        guard let age = thresholds.ownerAge else { return [] }
        return owned.removeFirst { now - $0.since > age }
    }
}

struct WarningConcerns: OptionSet {
    let rawValue: UInt8

    static let longQueues = WarningConcerns(rawValue: 1)
    static let endedObservers = WarningConcerns(rawValue: 2)
    static let time = WarningConcerns(rawValue: 4)
}

extension WarningThresholds {
    func concerns(_ event: NotificationEvent, _ concerns: WarningConcerns) -> Bool {
        switch event {
        case .queued(_, let waiting): self.waiting.map { waiting > $0 } ?? false
        case .delivered(let delivery): concerns.contains(.longQueues) || isSlow(delivery)
        case .dropped(let observer, _): dropInterval != nil && !observer.intendsDrops
        case .failed(let failure): failureInterval != nil && failure.observer != nil
        case .posted(let post): post.observers == 0 && concerns.contains(.endedObservers)
        case .registered: concerns.contains(.endedObservers)
        case .ended: true
        default: false
        }
    }

    fileprivate func isSlow(_ delivery: NotificationDelivery) -> Bool {
        guard delivery.isOnMainActor, let most = mainActorCall, let duration = delivery.duration else { return false }
        return duration > most
    }
}
