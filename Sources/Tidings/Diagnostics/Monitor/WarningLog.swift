/// What one monitor was warned about, and what it may yet be.
struct WarningLog: Sendable {
    struct Owned: Sendable {
        let observer: ObserverDescription
        let owner: ObserverOwner
        let since: Duration
    }

    private let thresholds: WarningThresholds
    private var long: Set<ObserverDescription.ID> = []
    private var slow: Set<ObserverDescription.ID> = []

    /// The observers that are tied to an owner, the oldest first.
    private var owned: [Owned] = []

    init(_ thresholds: WarningThresholds) { self.thresholds = thresholds }

    /// Whether there is an owner that may live too long.
    var isTracking: Bool { !owned.isEmpty }

    /// Notes an event.
    ///
    /// - Returns: What the monitor is to be warned about.
    mutating func note(_ event: NotificationEvent) -> ObserverWarning? {
        switch event {
        case .queued(let observer, let waiting):
            guard let most = thresholds.waiting, waiting > most else { return nil }
            return long.insert(observer.id).inserted ? .longQueue(observer, waiting: waiting) : nil
        case .delivered(let delivery):
            guard delivery.isOnMainActor, let most = thresholds.mainActorCall, let duration = delivery.duration,
                duration > most
            else { return nil }
            return slow.insert(delivery.observer.id).inserted
                ? .slowOnMainActor(delivery.observer, duration: duration) : nil
        case .ended(let observer):
            long.remove(observer.id)
            slow.remove(observer.id)
            owned.removeAll { $0.observer.id == observer.id }
            return nil
        default:
            return nil
        }
    }

    /// Notes an observer that is tied to an owner.
    mutating func track(_ observer: ObserverDescription, owner: ObserverOwner, since now: Duration) {
        if thresholds.ownerAge != nil { owned.append(Owned(observer: observer, owner: owner, since: now)) }
    }

    /// Takes out the observers that are older than expected.
    mutating func takeOld(_ now: Duration) -> [Owned] {
        guard let age = thresholds.ownerAge else { return [] }
        let old = owned.prefix { now - $0.since > age }
        owned.removeFirst(old.count)
        return Array(old)
    }
}
