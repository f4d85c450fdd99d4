/// A reference to the object to which an observer is tied, which does not keep it alive. The observation ends with the object.
public final class ObserverOwner: Sendable {
    private let reference: ObjectReference

    /// The address of the owner, which another object may have when the owner is gone.
    @usableFromInline package let address: UInt

    /// Refers to an owner without keeping it alive.
    ///
    /// - Parameter object: The owner.
    public init(_ object: any AnyObject & Sendable) {
        reference = ObjectReference(object)
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    /// Whether the owner is alive. A center ends the observation of a dead owner when a post or a registration next comes
    /// across it.
    public var isAlive: Bool { reference.isAlive }

    /// The owner; `nil` when it is gone.
    @usableFromInline package var living: (any AnyObject & Sendable)? {
        // It was `Sendable` when it came, which is nothing at run time.
        object.map { unsafe unsafeBitCast($0, to: (any AnyObject & Sendable).self) }
    }

    /// Whether an object is the owner.
    ///
    /// - Parameter object: The object.
    /// - Returns: Whether it is the owner, by identity.
    public func refers(to object: AnyObject) -> Bool { reference.refers(to: object) }

    /// The owner, retained; `nil` when it is gone.
    @usableFromInline var object: AnyObject? { reference.object }

    /// The owner; `nil` when it is gone. Inlined into the observer's closure, which knows the type, so that nothing is copied by
    /// way of the runtime.
    ///
    /// - Parameter type: The type as which the caller registers the observer's owner.
    /// - Returns: The owner, retained.
    @inlinable
    @inline(__always)
    package func object<Owner: AnyObject>(as type: Owner.Type) -> Owner? {
        guard let object else { return nil }
        // The caller's word. It is checked in debug builds.
        return unsafe unsafeDowncast(object, to: type)
    }

    /// The owner's type and address, for people to read; `nil` when it is gone.
    @usableFromInline package var words: String? { reference.object.map { describe($0) } }
}

/// Ends an observation when its closure finds the owner dead.
///
/// Only the observer's closure may hold it, as it refers to the observation, which may refer to the closure: cancelling the
/// observation breaks that cycle. An ``ObserverRegistration``, which a center may keep for any length of time, has only the
/// ``ObserverOwner``.
@usableFromInline
package final class Ownership: Sendable {
    @usableFromInline package let owner: ObserverOwner
    private let observation = Lock<(any ObserverHandle)?>(nil)

    /// Ties an observer to an owner.
    @usableFromInline
    package init(_ owner: any AnyObject & Sendable) {
        self.owner = ObserverOwner(owner)
    }

    /// Sets the observation that ends with the owner. If the owner is dead already, the observation ends at once.
    package func ends(_ observation: any ObserverHandle) {
        self.observation.withLock { $0 = observation }
        if !owner.isAlive { end() }
    }

    /// Ends the observation. An observer calls it when it finds its owner dead.
    @usableFromInline
    package func end() {
        let observation = observation.withLock { $0.take() }
        observation?.end(.ownerGone)
    }
}
