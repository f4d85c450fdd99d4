/// An observer's tie to its owner: the owner, and the observation that ends with it.
///
/// Only the observer's closure may hold it. It leads to the observation, and that may lead to the closure, until the
/// observation is cancelled and the closure released. A ``ObserverRegistration``, which a center keeps as it likes, has the
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
