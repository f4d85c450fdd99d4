/// How one observation of a center stands: who observes what, since where, and what waits.
///
/// It is a value, as of the moment when it was asked for, and keeps nothing alive.
@dynamicMemberLookup
public struct ObservationStatus: Sendable, Identifiable {
    /// Which observer it is.
    public let observer: ObserverDescription

    /// The sender to which the observer is limited, in words; `nil` for every sender.
    ///
    /// An object is described by its type and its address, a value by itself.
    public let sender: String?

    /// The type and the address of the object to which the observer is tied; `nil` if there is none.
    public let owner: String?

    /// How many notifications wait for the observer; always 0 for one that runs in the post.
    ///
    /// The one that the observer is working on does not wait. A sequence has as many as its slowest iterator.
    public let queued: Int

    /// How many notifications the observer's buffering policy has dropped.
    public let dropped: Int

    /// Whether a call of the observer is running. What the consumer of a sequence does is not known.
    public let isRunning: Bool

    /// The observer's identity.
    public var id: ObserverDescription.ID { observer.id }

    /// What is known about the observer: its `subject`, `delivery`, `fileID`, `line` and `place`.
    public subscript<Value>(dynamicMember property: any KeyPath<ObserverDescription, Value> & Sendable) -> Value {
        observer[keyPath: property]
    }
}
