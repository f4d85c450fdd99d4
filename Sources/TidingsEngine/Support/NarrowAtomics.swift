import Builtin
public import CTidingsSystem

// Counterparts of `Atomic` for values that lie close together.

/// A byte that several threads read and change atomically: a flag, or one of a few cases.
// `@unchecked Sendable`: every access to the memory is atomic.
@usableFromInline
@safe
@_rawLayout(like: UInt8)
package struct AtomicByte<Value: AtomicByteValue>: ~Copyable, @unchecked Sendable {
    @inlinable
    @_transparent
    package init(_ value: Value) {
        // No other thread can access the variable yet.
        unsafe address.initialize(to: value.atomicByte)
    }

    #if hasFeature(Embedded)
        // Embedded Swift's optimiser requires a deinitialiser and doesn't find the one that the compiler synthesises.
        @inlinable
        deinit {}
    #endif

    /// The address of the value, which is stable for as long as the variable exists.
    @inlinable
    @_transparent
    package var address: UnsafeMutablePointer<UInt8> {
        // The raw layout is that of the pointer's pointee.
        unsafe UnsafeMutablePointer<UInt8>(Builtin.addressOfRawLayout(self))
    }

    /// Loads the value.
    @inlinable
    @_transparent
    package func load(ordering: AtomicLoadOrdering) -> Value {
        // Builtins for the same reason as in `Atomic`.
        let place = unsafe address._rawValue
        if ordering.rawValue == Int32(tidings_relaxed) {
            return Value(atomicByte: UInt8(Builtin.atomicload_monotonic_Int8(place)))
        }
        if ordering.rawValue == Int32(tidings_acquiring) {
            return Value(atomicByte: UInt8(Builtin.atomicload_acquire_Int8(place)))
        }
        return Value(atomicByte: UInt8(Builtin.atomicload_seqcst_Int8(place)))
    }

    /// Stores a value.
    @inlinable
    @_transparent
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe tidings_store_8(address, value.atomicByte, ordering.rawValue)
    }

    /// Stores a value and returns the previous one.
    ///
    /// - Returns: The previous value.
    @inlinable
    @_transparent
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicByte: unsafe tidings_exchange_8(address, value.atomicByte, ordering.rawValue))
    }
}

/// A 32-bit word that several threads read and change atomically. A kernel can make threads wait for it, and it is
/// small enough for counts.
// `@unchecked Sendable`: every access to the memory is atomic.
@usableFromInline
@safe
@_rawLayout(like: UInt32)
package struct AtomicUInt32: ~Copyable, @unchecked Sendable {
    @inlinable
    @_transparent
    package init(_ value: UInt32) {
        // No other thread can access the variable yet.
        unsafe address.initialize(to: value)
    }

    #if hasFeature(Embedded)
        // Embedded Swift's optimiser requires a deinitialiser and doesn't find the one that the compiler synthesises.
        @inlinable
        deinit {}
    #endif

    /// The address of the value, which is stable for as long as the variable exists.
    @inlinable
    @_transparent
    package var address: UnsafeMutablePointer<UInt32> {
        // The raw layout is that of the pointer's pointee.
        unsafe UnsafeMutablePointer<UInt32>(Builtin.addressOfRawLayout(self))
    }

    /// Loads the value.
    @inlinable
    @_transparent
    package func load(ordering: AtomicLoadOrdering) -> UInt32 {
        unsafe tidings_load_32(address, ordering.rawValue)
    }

    /// Stores a value and returns the previous one.
    ///
    /// - Returns: The previous value.
    @inlinable
    @_transparent
    package func exchange(_ value: UInt32, ordering: AtomicUpdateOrdering) -> UInt32 {
        unsafe tidings_exchange_32(address, value, ordering.rawValue)
    }

    /// Replaces the value if it equals the expected one. If it doesn't, the operation has the memory order of a load.
    ///
    /// - Returns: Whether the value was replaced, and the previous value.
    @inlinable
    @_transparent
    package func compareExchange(
        expected: UInt32, desired: UInt32, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: UInt32) {
        let before = unsafe tidings_compare_exchange_32(
            address, expected, desired, ordering.rawValue)
        return (before == expected, before)
    }

    /// Adds to the value, wrapping on overflow as `&+` does.
    ///
    /// - Returns: The previous value and the new one.
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingAdd(_ value: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        let before = unsafe tidings_add_32(address, value, ordering.rawValue)
        return (before, before &+ value)
    }

    /// Subtracts from the value, wrapping on overflow as `&-` does.
    ///
    /// - Returns: The previous value and the new one.
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
