import Tidings

/// A requirement that a center has to meet to keep a ``ConformancePromise``.
public struct ConformanceCheck: Hashable, CustomStringConvertible, Sendable {
    /// The promise to which the requirement belongs.
    public let promise: ConformancePromise

    /// A sentence that describes the requirement.
    public let description: String

    typealias Run = @Sendable (Trial, any TypedNotificationCenter) async -> Void

    let run: Run

    init(_ promise: ConformancePromise, _ description: String, run: @escaping Run) {
        self.promise = promise
        self.description = description
        self.run = run
    }

    /// Two checks are equal if they have the same promise and the same description.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.promise == rhs.promise && lhs.description == rhs.description
    }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A promise of a center to code that posts and observes.
@nonexhaustive
public enum ConformancePromise: Int, CaseIterable, Sendable, CustomStringConvertible {
    /// A post reaches exactly the observers of the notification's type in the same center.
    case identity = 1
    /// Observers that run synchronously, during the post, run in the order in which they were registered.
    case order
    /// A post reaches the observers that were registered when the post began.
    case membership
    /// An observer can post, add and cancel, even in deeply nested posts. No lock is held while the observer runs.
    case reentrancy
    /// After a cancel has returned, no later post calls the observer.
    case cancel
    /// Everything that an observer captured is released when its observation has ended.
    case lifetime
    /// Senders are held weakly; objects match by identity, values by equality.
    case senders
    /// Queued notifications reach their asynchronous observer, or are counted by the policy that dropped them.
    case nothingLost = 8
    /// A main-actor notification is posted and observed on the main actor.
    case isolation = 10
    /// A slow asynchronous observer doesn't delay others.
    case independence
    /// An observer of a replayed type begins with the latest notification, and receives each later one once.
    case replay

    /// The number of the promise and its name.
    public var description: String {
        switch self {
        case .identity: "1. identity"
        case .order: "2. order"
        case .membership: "3. membership"
        case .reentrancy: "4. re-entrancy"
        case .cancel: "5. cancel"
        case .lifetime: "6. lifetime"
        case .senders: "7. senders"
        case .nothingLost: "8. nothing is lost silently"
        case .isolation: "10. isolation"
        case .independence: "11. independence"
        case .replay: "12. replay"
        }
    }
}
