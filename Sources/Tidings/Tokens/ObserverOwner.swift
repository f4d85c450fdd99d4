/// A weak reference to the owner of an observer. The observation ends when the owner is deallocated.
public final class ObserverOwner: Sendable {
    private let reference: ObjectReference

    /// The address of the owner. Another object may have this address after the owner has been deallocated.
    @usableFromInline package let address: UInt

    /// Creates a reference to an owner without keeping it alive.
    ///
    /// - Parameter object: The owner.
    public init(_ object: any AnyObject & Sendable) {
        reference = ObjectReference(object)
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    /// Whether the owner is alive. A post or a registration that finds the owner deallocated ends the observation.
    public var isAlive: Bool { reference.isAlive }

    @usableFromInline package var living: (any AnyObject & Sendable)? {
        // The owner was `Sendable` when it was passed in, and `Sendable` has no representation at run time.
        object.map { unsafe unsafeBitCast($0, to: (any AnyObject & Sendable).self) }
    }

    /// Returns whether an object is the owner.
    ///
    /// - Parameter object: The object.
    /// - Returns: Whether it is the owner, by identity.
    public func refers(to object: AnyObject) -> Bool { reference.refers(to: object) }

    @usableFromInline var object: AnyObject? { reference.object }

    /// Returns the owner. The caller guarantees its type. This method is inlined into the observer's closure, where the
    /// type is known, so that copying the reference needs no runtime call.
    @inlinable
    @inline(__always)
    package func object<Owner: AnyObject>(as type: Owner.Type) -> Owner? {
        guard let object else { return nil }
        return unsafe unsafeDowncast(object, to: type)
    }

    @usableFromInline package var words: String? { reference.object.map { describe($0) } }
}

/// Ends an observation after its owner has been deallocated.
///
/// Only the observer's closure, or objects that the closure holds, may hold this object. Cancelling the observation
/// then releases the closure, this object, and this object's reference to the observation.
@usableFromInline
package final class Ownership: Sendable {
    @usableFromInline package let owner: ObserverOwner
    private let observation = Lock<(any ObserverHandle)?>(nil)

    @usableFromInline
    package init(_ owner: any AnyObject & Sendable) {
        self.owner = ObserverOwner(owner)
    }

    package func ends(_ observation: any ObserverHandle) {
        self.observation.withLock { $0 = observation }
        if !owner.isAlive { end() }
    }

    @usableFromInline
    package func end() {
        let observation = observation.withLock { $0.take() }
        observation?.end(.ownerGone)
    }
}
