/// When a monitor is warned. Each warning comes once for an observer and a monitor; `nil` means never.
public struct WarningThresholds: Hashable, Sendable {
    /// How many notifications may wait for an asynchronous observer: 1,000 unless set. Checked when one more waits.
    public var waiting: Int? = 1000

    /// How long a call on the main actor may take: a quarter of a second unless set. Checked when the call has returned.
    ///
    /// ``NotificationDelivery/isOnMainActor`` says which calls are known to be made there.
    public var mainActorCall: Duration? = .milliseconds(250)

    /// How long an owner is expected to live: never warned about unless set.
    ///
    /// An observation that is tied to an owner lasts as long as the owner. If its closure captures the owner, both live as long
    /// as the center, which is the commonest leak there is. How long an owner should live depends on the program, so set this
    /// where owners come and go, as view models and requests do. The age of an observation counts from its registration, or
    /// from the moment when the monitor was attached, if that is later. It is checked with every event, by
    /// ``MonitorAttachment/check()``, and when the monitor is detached. Observations in an actor, whose owner is the actor,
    /// count too.
    public var ownerAge: Duration?

    /// Makes the default thresholds.
    public init() {}

    /// Sets the thresholds.
    ///
    /// - Parameters:
    ///   - waiting: How many notifications may wait for an asynchronous observer.
    ///   - mainActorCall: How long a call on the main actor may take.
    ///   - ownerAge: How long an owner is expected to live.
    public init(waiting: Int? = 1000, mainActorCall: Duration? = .milliseconds(250), ownerAge: Duration?) {
        self.waiting = waiting
        self.mainActorCall = mainActorCall
        self.ownerAge = ownerAge
    }
}

/// Something about an observer that looks wrong.
@nonexhaustive
public enum ObserverWarning: Sendable {
    /// More notifications wait for the observer than ``WarningThresholds/waiting`` allows.
    case longQueue(ObserverDescription, waiting: Int)

    /// A call on the main actor took longer than ``WarningThresholds/mainActorCall`` allows.
    case slowOnMainActor(ObserverDescription, duration: Duration)

    /// The observation is older than ``WarningThresholds/ownerAge``, and its owner, described by type and address, is alive.
    case lastingOwner(ObserverDescription, owner: String, age: Duration)

    /// The observer.
    public var observer: ObserverDescription {
        switch self {
        case .longQueue(let observer, _), .slowOnMainActor(let observer, _), .lastingOwner(let observer, _, _): observer
        }
    }
}

extension ObserverWarning: CustomStringConvertible {
    /// The warning in one sentence, with the place where the observer was registered.
    public var description: String {
        switch self {
        case .longQueue(let observer, let waiting):
            "\(waiting) notifications wait for an observer: \(observer)"
        case .slowOnMainActor(let observer, let duration):
            "an observer took \(duration) on the main actor: \(observer)"
        case .lastingOwner(let observer, let owner, let age):
            "an observation has lasted \(age) with its owner, \(owner): \(observer)"
        }
    }
}

/// The state from which the warnings of one monitor are decided: the observers it was warned about, and the owners whose age
/// is still to be checked.
struct WarningLog: Sendable {
    struct Owned: Sendable {
        let observer: ObserverDescription
        let owner: ObserverOwner
        let since: Duration
    }

    private let thresholds: WarningThresholds

    /// The observers that were warned about for their long queue, until they end.
    private var long: Set<ObserverDescription.ID> = []

    /// The observers that were warned about for a slow call on the main actor, until they end.
    private var slow: Set<ObserverDescription.ID> = []

    /// The observers that are tied to an owner and were not warned about, the oldest first.
    private var owned: [Owned] = []

    init(_ thresholds: WarningThresholds) { self.thresholds = thresholds }

    /// Whether there is an owner whose age is still to be checked.
    var isTracking: Bool { !owned.isEmpty }

    /// Notes an event.
    ///
    /// - Returns: The warning that the event gives rise to, if any.
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
