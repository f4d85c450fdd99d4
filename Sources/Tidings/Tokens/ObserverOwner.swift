/// The object to which an observer is tied, held weakly: when it dies, the observation ends.
public final class ObserverOwner: Sendable {
    private weak let object: (any AnyObject & Sendable)?

    /// Refers weakly to an owner.
    ///
    /// - Parameter object: The owner.
    public init(_ object: any AnyObject & Sendable) {
        self.object = object
    }

    /// Whether the owner is alive. A center ends the observation of a dead owner when it next meets it.
    public var isAlive: Bool { object != nil }

    /// The owner in words; `nil` when it is gone.
    package var words: String? { object.map { describe($0) } }
}

/// An observer's tie to its owner: the owner, and the observation that ends with it.
///
/// Only the observer's closure may hold it. It leads to the observation, and that may lead to the closure, until the
/// observation is cancelled and the closure released. An ``ObserverRegistration``, which a center keeps as it likes, has the
/// ``ObserverOwner`` alone.
@usableFromInline
package final class Ownership: Sendable {
    @usableFromInline package let owner: ObserverOwner
    private let observation = Lock<(any ObserverHandle)?>(nil)

    /// Ties an observer to an owner.
    @usableFromInline
    package init(_ owner: any AnyObject & Sendable) {
        self.owner = ObserverOwner(owner)
    }

    /// Names the observation that ends with the owner. A dead owner ends it at once.
    package func ends(_ observation: any ObserverHandle) {
        self.observation.withLock { $0 = observation }
        if !owner.isAlive { end() }
    }

    /// Ends the observation; called by an observer that finds its owner dead.
    @usableFromInline
    package func end() {
        let observation = observation.withLock { $0.take() }
        observation?.cancel()
    }
}
