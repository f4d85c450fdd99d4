/// The object to which an observer is tied, held weakly: when it dies, the observation ends.
public final class Owner: Sendable {
    private weak let object: (any AnyObject & Sendable)?
    private let observation = Lock<(any Observation)?>(nil)

    /// Refers weakly to an owner.
    ///
    /// - Parameter object: The owner.
    public init(_ object: any AnyObject & Sendable) {
        self.object = object
    }

    /// Whether the owner is alive. A center ends the observation of a dead owner when it next meets it.
    public var isAlive: Bool { object != nil }

    /// The owner in words; `nil` when it is gone.
    var words: String? { object.map { describe($0) } }

    /// Names the observation that ends with the owner. A dead owner ends it at once.
    package func ends(_ observation: any Observation) {
        self.observation.withLock { $0 = observation }
        if !isAlive { end() }
    }

    /// Ends the observation; called by an observer that finds its owner dead.
    @usableFromInline
    package func end() {
        let observation = observation.withLock { $0.take() }
        observation?.cancel()
    }
}
