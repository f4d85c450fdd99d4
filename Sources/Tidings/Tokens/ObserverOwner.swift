/// The object to which an observer is tied, held weakly: when it dies, the observation ends.
public class ObserverOwner: @unchecked Sendable {  // immutable, as is its one subclass
    private weak let object: (any AnyObject & Sendable)?

    /// Refers weakly to an owner.
    ///
    /// - Parameter object: The owner.
    public init(_ object: any AnyObject & Sendable) {
        self.object = object
    }

    /// Refers to nothing.
    init() { object = nil }

    /// The owner itself; `nil` if there is none.
    var owner: ObserverOwner? { self }

    /// Whether the owner is alive. A center ends the observation of a dead owner when it next meets it.
    public var isAlive: Bool { object != nil }

    /// The owner in words; `nil` when it is gone.
    var words: String? { object.map { describe($0) } }
}
