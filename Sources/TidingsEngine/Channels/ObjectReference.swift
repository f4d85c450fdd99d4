#if !canImport(ObjectiveC) && !WEAK_REFERENCES
    import CTidingsSystem
#endif

/// A reference to an object that does not keep it alive, and tells whether it is.
///
/// Where all objects are native, it is an unowned reference: that keeps the memory of a dead object, though not what the object
/// referred to, and so the reference count, which says whether the object is dead, can be read at any time. To look costs a load,
/// and to follow the reference what a strong one costs: a third of a weak one. The first weak reference to an object moves its
/// counts into a table beside it, where each retain and release, in all of the program, takes three times as long from then on.
///
/// Objects of Objective-C have no such counts. Where there are any, it is a weak reference. So it is where the package is built with
/// `TIDINGS_WEAK_REFERENCES=1`: no header of Swift's promises the two functions of the runtime that read the counts, and a toolchain
/// may come that has others. `.ci/steps/53-references` says with which one they were last checked.
@safe
package struct ObjectReference: ~Copyable, @unchecked Sendable {  // counts are atomic, its user answers for the rest
    #if canImport(ObjectiveC) || WEAK_REFERENCES
        private weak let weakObject: AnyObject?
    #else
        /// Never read, as that would trap if the object is dead. It keeps the memory behind the address.
        private unowned let memory: AnyObject?
        private let address: UnsafeMutableRawPointer?
    #endif

    /// Whether it is a weak reference, which cannot be made of an object whose end has begun.
    package static var isWeak: Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            true
        #else
            false
        #endif
    }

    /// Refers to an object, or to none, which is the same as a dead one.
    package init(_ object: AnyObject?) {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject = object
        #else
            memory = object
            unsafe address = object.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        #endif
    }

    /// Whether the object is alive.
    ///
    /// Where it is a weak reference, the look retains the object for a moment: no lock may be held, as the release may run a
    /// `deinit`, unless the caller holds the object.
    package var isAlive: Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject != nil
        #else
            defer { extendLifetime(self) }
            guard let address = unsafe address else { return false }
            // The memory is there, as this reference is.
            return unsafe !swift_isDeallocating(address)
        #endif
    }

    /// The object; `nil` if it is dead.
    package var object: AnyObject? {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject
        #else
            defer { extendLifetime(self) }
            guard let address = unsafe address, let retained = unsafe swift_tryRetain(address) else { return nil }
            // As above.
            return unsafe Unmanaged.fromOpaque(retained).takeRetainedValue()
        #endif
    }

    /// The object, of the type that the caller knows it to be; `nil` if it is dead.
    package func object<Object: AnyObject>(as type: Object.Type) -> Object? {
        guard let object else { return nil }
        // The caller's word. It is checked in debug builds.
        return unsafe unsafeDowncast(object, to: type)
    }

    /// Whether an object is the one referred to. The caller holds it.
    package func refers(to other: AnyObject) -> Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            weakObject === other
        #else
            // No other object gets the address while this reference keeps its memory.
            unsafe address == Unmanaged.passUnretained(other).toOpaque()
        #endif
    }

    /// Whether an object that is alive and has the address of the one referred to is that one.
    @inline(__always)
    package var namesItsAddress: Bool {
        #if canImport(ObjectiveC) || WEAK_REFERENCES
            isAlive
        #else
            // As above.
            true
        #endif
    }
}
