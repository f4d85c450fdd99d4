/// The object to which an observer is tied, held weakly: when it dies, the observation ends.
public class Owner: @unchecked Sendable {  // immutable, as is its one subclass
    private weak let object: (any AnyObject & Sendable)?

    /// Refers weakly to an owner.
    ///
    /// - Parameter object: The owner.
    public init(_ object: any AnyObject & Sendable) {
        self.object = object
    }

    fileprivate init() { object = nil }

    /// The owner itself; `nil` if there is none.
    var owner: Owner? { self }

    /// Whether the owner is alive. A center ends the observation of a dead owner when it next meets it.
    public var isAlive: Bool { object != nil }

    /// The owner in words; `nil` when it is gone.
    var words: String? { object.map { describe($0) } }
}

/// An owner, or none, with what else only some registrations have.
///
/// It stands where an owner stands, so that a registration is no larger for it: every entry of a center holds one.
final class DetailedOwner: Owner, @unchecked Sendable {  // immutable
    private let base: Owner?

    /// What waits for the observer, which whoever has the observer's closure keeps. Weakly, as the queue leads to the
    /// observation, and that may lead here.
    weak let queue: (any ObserverQueue)?

    /// The notification type, if the center knows it under another one.
    let type: Any.Type?

    init(_ base: Owner?, queue: (any ObserverQueue)?, type: Any.Type?) {
        self.base = base
        self.queue = queue
        self.type = type
        super.init()
    }

    override var owner: Owner? { base }
}
