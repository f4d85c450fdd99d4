/// The object to which an observer is tied, held weakly: when it dies, the observation ends.
public final class Owner: Sendable {
    private weak let object: (any AnyObject & Sendable)?

    /// Refers weakly to an owner.
    ///
    /// - Parameter object: The owner.
    public init(_ object: any AnyObject & Sendable) {
        self.object = object
    }

    /// Whether the owner is alive. A center ends the observation of a dead owner when it next meets it.
    public var isAlive: Bool { object != nil }
}
