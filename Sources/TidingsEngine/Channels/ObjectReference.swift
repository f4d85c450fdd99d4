#if !canImport(ObjectiveC) && !WEAK_REFERENCES
    import CTidingsSystem
#endif

/// A reference that doesn't keep its object alive, and that reports whether the object is alive.
///
/// On platforms without Objective-C, this is an unowned reference. It keeps the memory of a dead object, so the
/// object's reference count can be read at any time. Checking costs a load. Following the reference costs a third as
/// much as following a weak one. A weak reference would also move the object's counts into a side table, so that each
/// retain and release takes three times as long.
///
/// Objective-C objects have no such counts, so on platforms with Objective-C this is a weak reference.
/// `TIDINGS_WEAK_REFERENCES=1` in the environment of the build has the same effect, for a toolchain without the two
/// runtime functions that read the counts. No Swift header promises these functions. `.ci/steps/53-references` records
/// the toolchain with which they were last checked.
@safe
package struct ObjectReference: ~Copyable, @unchecked Sendable {  // atomic counts; callers keep the object's isolation
    #if canImport(ObjectiveC) || WEAK_REFERENCES
        private weak let weakObject: AnyObject?
    #else
        /// Keeps the memory at the address. Never read, because reading it traps if the object is dead.
        private unowned let memory: AnyObject?
        private let address: UnsafeMutableRawPointer?
    #endif

    /// Whether this is a weak reference, which can't be created during the object's deinitialization.
    package static var isWeak: Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            true
        #else
            false
        #endif
    }

    /// Creates a reference. A reference to no object counts as dead.
    package init(_ object: AnyObject?) {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject = object
        #else
            memory = object
            unsafe address = object.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        #endif
    }

    /// Whether the object is alive. Reading a weak reference retains and releases the object, which may run its
    /// `deinit`. So the caller must hold no lock, or retain the object as well.
    package var isAlive: Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject != nil
        #else
            defer { extendLifetime(self) }
            guard let address = unsafe address else { return false }
            // This reference keeps the memory.
            return unsafe !swift_isDeallocating(address)
        #endif
    }

    package var object: AnyObject? {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject
        #else
            defer { extendLifetime(self) }
            guard let address = unsafe address, let retained = unsafe swift_tryRetain(address) else { return nil }
            // This reference keeps the memory, and the object was just retained.
            return unsafe Unmanaged.fromOpaque(retained).takeRetainedValue()
        #endif
    }

    package func object<Object: AnyObject>(as type: Object.Type) -> Object? {
        guard let object else { return nil }
        // The caller guarantees the type; debug builds check it.
        return unsafe unsafeDowncast(object, to: type)
    }

    package func refers(to other: AnyObject) -> Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject === other
        #else
            // No other object gets the address while this reference keeps its memory.
            unsafe address == Unmanaged.passUnretained(other).toOpaque()
        #endif
    }

    /// Whether a live object at the stored address is certainly the original object, and not a new one.
    @inline(__always)
    package var namesItsAddress: Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            isAlive
        #else
            // No other object gets the address while this reference keeps its memory.
            true
        #endif
    }
}
