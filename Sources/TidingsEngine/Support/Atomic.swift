// For `addressOfRawLayout`, which the standard library doesn't offer. `withUnsafePointer(to:)` yields the same address,
// but a global whose initialiser calls it is initialised lazily, so that each use checks whether it has been
// initialised.
import Builtin
public import CTidingsSystem

// `Synchronization` has an equivalent, but its library exists on Apple's systems only since macOS 15 and iOS 18. The
// operations and memory orders here have the same names and the same meaning. The storage is raw memory of a size that
// is known at compile time, so no runtime metadata is needed. The type is noncopyable, so a variable keeps its address.
// It is declared as a constant, because the operations that change it don't need exclusive access.

/// A word that several threads read and change atomically.
///
/// It has 64 bits on every system.
// `@unchecked Sendable`: every access to the memory is atomic.
@usableFromInline
@safe
@_rawLayout(like: UInt64)
package struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
    @inlinable
    @_transparent
    package init(_ value: Value) {
        // No other thread can access the variable yet.
        unsafe address.initialize(to: value.atomicWord)
    }

    #if hasFeature(Embedded)
        // Embedded Swift's optimiser requires a deinitialiser and doesn't find the one that the compiler synthesises.
        @inlinable
        deinit {}
    #endif

    /// The address of the value, which is stable for as long as the variable exists.
    @inlinable
    @_transparent
    package var address: UnsafeMutablePointer<UInt64> {
        // The raw layout is that of the pointer's pointee.
        unsafe UnsafeMutablePointer<UInt64>(Builtin.addressOfRawLayout(self))
    }

    /// Loads the value.
    @inlinable
    @_transparent
    package func load(ordering: AtomicLoadOrdering) -> Value {
        // A builtin becomes a single instruction in every client, whereas a call of a C function remains a call in
        // some. The order is a constant at every call site, so only one branch is left.
        let place = unsafe address._rawValue
        if ordering.rawValue == Int32(tidings_relaxed) {
            return Value(atomicWord: UInt64(Builtin.atomicload_monotonic_Int64(place)))
        }
        if ordering.rawValue == Int32(tidings_acquiring) {
            return Value(atomicWord: UInt64(Builtin.atomicload_acquire_Int64(place)))
        }
        return Value(atomicWord: UInt64(Builtin.atomicload_seqcst_Int64(place)))
    }

    /// Stores a value.
    @inlinable
    @_transparent
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe tidings_store_64(address, value.atomicWord, ordering.rawValue)
    }

    /// Stores a value and returns the previous one.
    ///
    /// - Returns: The previous value.
    @inlinable
    @_transparent
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicWord: unsafe tidings_exchange_64(address, value.atomicWord, ordering.rawValue))
    }

    /// Replaces the value if it equals the expected one. If it doesn't, the operation has the memory order of a load.
    ///
    /// - Returns: Whether the value was replaced, and the previous value.
    @inlinable
    @_transparent
    package func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        let before = unsafe tidings_compare_exchange_64(
            address, expected.atomicWord, desired.atomicWord, ordering.rawValue)
        return (before == expected.atomicWord, Value(atomicWord: before))
    }
}

extension Atomic where Value: FixedWidthInteger {
    /// Adds to the value, wrapping on overflow as `&+` does.
    ///
    /// - Returns: The previous value and the new one.
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingAdd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_add_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before &+ value.atomicWord))
    }

    /// Subtracts from the value, wrapping on overflow as `&-` does.
    ///
    /// - Returns: The previous value and the new one.
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingSubtract(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value)
    {
        let before = unsafe tidings_add_64(address, 0 &- value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before &- value.atomicWord))
    }

    /// Replaces the value with its bitwise AND with another value.
    ///
    /// - Returns: The previous value and the new one.
    @inlinable
    @_transparent
    @discardableResult
    package func bitwiseAnd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_and_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before & value.atomicWord))
    }

    /// Replaces the value with its bitwise OR with another value.
    ///
    /// - Returns: The previous value and the new one.
    @inlinable
    @_transparent
    @discardableResult
    package func bitwiseOr(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_or_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before | value.atomicWord))
    }
}
