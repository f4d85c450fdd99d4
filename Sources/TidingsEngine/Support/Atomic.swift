// `addressOfRawLayout`, which no function of the standard library gives: `withUnsafePointer(to:)` leads to the same address, but a global
// whose initialiser calls it is made when it is first used, and asks at each use whether it has been.
import Builtin
public import CTidingsSystem

// `Synchronization` has the like, in a library that Apple's systems have since macOS 15 and iOS 18 only. The operations and their orders
// have its names, and mean the same. The memory is raw, of a size that the compiler knows without asking the runtime of a system, and a
// variable cannot be copied, so that it stays where it is. It is a constant: what changes it does not need exclusive access.

/// A word that threads read and change in steps, none of which another thread sees half done.
///
/// It has 64 bits on every system.
// Each access to the memory is an atomic step.
@usableFromInline
@safe
@_rawLayout(like: UInt64)
package struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
    @inlinable
    @_transparent
    package init(_ value: Value) {
        // No other thread has the variable yet.
        unsafe address.initialize(to: value.atomicWord)
    }

    #if hasFeature(Embedded)
        // Embedded Swift's optimiser looks for one, and finds none that the compiler makes.
        @inlinable
        deinit {}
    #endif

    /// Where the value lies, for as long as the variable exists.
    @inlinable
    @_transparent
    package var address: UnsafeMutablePointer<UInt64> {
        // The layout is that of the pointer's type.
        unsafe UnsafeMutablePointer<UInt64>(Builtin.addressOfRawLayout(self))
    }

    /// The value.
    @inlinable
    @_transparent
    package func load(ordering: AtomicLoadOrdering) -> Value {
        // The builtins are one instruction in every client. A call of C stays a call in some. The order is a constant where this is used.
        let place = unsafe address._rawValue
        if ordering.rawValue == Int32(tidings_relaxed) {
            return Value(atomicWord: UInt64(Builtin.atomicload_monotonic_Int64(place)))
        }
        if ordering.rawValue == Int32(tidings_acquiring) {
            return Value(atomicWord: UInt64(Builtin.atomicload_acquire_Int64(place)))
        }
        return Value(atomicWord: UInt64(Builtin.atomicload_seqcst_Int64(place)))
    }

    /// Replaces the value.
    @inlinable
    @_transparent
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe tidings_store_64(address, value.atomicWord, ordering.rawValue)
    }

    /// Replaces the value.
    ///
    /// - Returns: The value before.
    @inlinable
    @_transparent
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicWord: unsafe tidings_exchange_64(address, value.atomicWord, ordering.rawValue))
    }

    /// Replaces the value if it is the expected one. If it is not, the order is that of a load.
    ///
    /// - Returns: Whether it was, and the value before.
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
    /// Adds to the value, as `&+` does.
    ///
    /// - Returns: The value before, and the one after.
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingAdd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_add_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before &+ value.atomicWord))
    }

    /// Subtracts from the value, as `&-` does.
    ///
    /// - Returns: The value before, and the one after.
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingSubtract(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value)
    {
        let before = unsafe tidings_add_64(address, 0 &- value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before &- value.atomicWord))
    }

    /// Keeps the bits that another value has, too.
    ///
    /// - Returns: The value before, and the one after.
    @inlinable
    @_transparent
    @discardableResult
    package func bitwiseAnd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_and_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before & value.atomicWord))
    }

    /// Sets the bits that another value has.
    ///
    /// - Returns: The value before, and the one after.
    @inlinable
    @_transparent
    @discardableResult
    package func bitwiseOr(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_or_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before | value.atomicWord))
    }
}
