import Builtin
public import CTidingsSystem

// As `Atomic`, for what lies close together.

/// A byte that threads read and change in steps: a flag, or one of a few cases.
// Each access to the memory is an atomic step.
@usableFromInline
@safe
@_rawLayout(like: UInt8)
package struct AtomicByte<Value: AtomicByteValue>: ~Copyable, @unchecked Sendable {
    @inlinable
    @_transparent
    package init(_ value: Value) {
        // No other thread has the variable yet.
        unsafe address.initialize(to: value.atomicByte)
    }

    #if hasFeature(Embedded)
        // Embedded Swift's optimiser looks for one, and finds none that the compiler makes.
        @inlinable
        deinit {}
    #endif

    /// Where the value lies, for as long as the variable exists.
    @inlinable
    @_transparent
    package var address: UnsafeMutablePointer<UInt8> {
        // The layout is that of the pointer's type.
        unsafe UnsafeMutablePointer<UInt8>(Builtin.addressOfRawLayout(self))
    }

    /// The value.
    @inlinable
    @_transparent
    package func load(ordering: AtomicLoadOrdering) -> Value {
        // As in `Atomic`.
        let place = unsafe address._rawValue
        if ordering.rawValue == Int32(tidings_relaxed) {
            return Value(atomicByte: UInt8(Builtin.atomicload_monotonic_Int8(place)))
        }
        if ordering.rawValue == Int32(tidings_acquiring) {
            return Value(atomicByte: UInt8(Builtin.atomicload_acquire_Int8(place)))
        }
        return Value(atomicByte: UInt8(Builtin.atomicload_seqcst_Int8(place)))
    }

    /// Replaces the value.
    @inlinable
    @_transparent
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe tidings_store_8(address, value.atomicByte, ordering.rawValue)
    }

    /// Replaces the value.
    ///
    /// - Returns: The value before.
    @inlinable
    @_transparent
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicByte: unsafe tidings_exchange_8(address, value.atomicByte, ordering.rawValue))
    }
}

/// Half a word that threads read and change in steps: what a kernel lets threads wait for, and counts.
// Each access to the memory is an atomic step.
@usableFromInline
@safe
@_rawLayout(like: UInt32)
package struct AtomicUInt32: ~Copyable, @unchecked Sendable {
    @inlinable
    @_transparent
    package init(_ value: UInt32) {
        // No other thread has the variable yet.
        unsafe address.initialize(to: value)
    }

    #if hasFeature(Embedded)
        // Embedded Swift's optimiser looks for one, and finds none that the compiler makes.
        @inlinable
        deinit {}
    #endif

    /// Where the value lies, for as long as the variable exists.
    @inlinable
    @_transparent
    package var address: UnsafeMutablePointer<UInt32> {
        // The layout is that of the pointer's type.
        unsafe UnsafeMutablePointer<UInt32>(Builtin.addressOfRawLayout(self))
    }

    /// The value.
    @inlinable
    @_transparent
    package func load(ordering: AtomicLoadOrdering) -> UInt32 {
        unsafe tidings_load_32(address, ordering.rawValue)
    }

    /// Replaces the value.
    ///
    /// - Returns: The value before.
    @inlinable
    @_transparent
    package func exchange(_ value: UInt32, ordering: AtomicUpdateOrdering) -> UInt32 {
        unsafe tidings_exchange_32(address, value, ordering.rawValue)
    }

    /// Replaces the value if it is the expected one. If it is not, the order is that of a load.
    ///
    /// - Returns: Whether it was, and the value before.
    @inlinable
    @_transparent
    package func compareExchange(
        expected: UInt32, desired: UInt32, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: UInt32) {
        let before = unsafe tidings_compare_exchange_32(
            address, expected, desired, ordering.rawValue)
        return (before == expected, before)
    }

    /// Adds to the value, as `&+` does.
    ///
    /// - Returns: The value before, and the one after.
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingAdd(_ value: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        let before = unsafe tidings_add_32(address, value, ordering.rawValue)
        return (before, before &+ value)
    }

    /// Subtracts from the value, as `&-` does.
    ///
    /// - Returns: The value before, and the one after.
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingSubtract(_ value: UInt32, ordering: AtomicUpdateOrdering) -> (
        oldValue: UInt32, newValue: UInt32
    ) {
        let before = unsafe tidings_add_32(address, 0 &- value, ordering.rawValue)
        return (before, before &- value)
    }
}
