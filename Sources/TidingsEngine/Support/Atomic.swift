public import CTidingsSystem

// The types, their memory and their loads are declared in `RawAtomics`, or in `AllocatedAtomics`.

extension Atomic {
    @inlinable
    @_transparent
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe tidings_store_64(address, value.atomicWord, ordering.rawValue)
    }

    @inlinable
    @_transparent
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicWord: unsafe tidings_exchange_64(address, value.atomicWord, ordering.rawValue))
    }

    /// Stores `desired` if the current value equals `expected`. Otherwise, the operation is only a load.
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
    @inlinable
    @_transparent
    @discardableResult
    package func wrappingAdd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_add_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before &+ value.atomicWord))
    }

    @inlinable
    @_transparent
    @discardableResult
    package func wrappingSubtract(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value)
    {
        let before = unsafe tidings_add_64(address, 0 &- value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before &- value.atomicWord))
    }

    @inlinable
    @_transparent
    @discardableResult
    package func bitwiseAnd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_and_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before & value.atomicWord))
    }

    @inlinable
    @_transparent
    @discardableResult
    package func bitwiseOr(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = unsafe tidings_or_64(address, value.atomicWord, ordering.rawValue)
        return (Value(atomicWord: before), Value(atomicWord: before | value.atomicWord))
    }
}
