/// Something about an observer that looks wrong.
@nonexhaustive
public enum ObserverWarning: Sendable {
    /// More notifications wait for the observer than ``WarningThresholds/waiting`` says.
    case longQueue(ObserverDescription, waiting: Int)

    /// A call on the main actor took longer than ``WarningThresholds/mainActorCall`` says.
    case slowOnMainActor(ObserverDescription, duration: Duration)

    /// The observation is older than ``WarningThresholds/ownerAge`` says, and its owner, described by type and address, lives.
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
