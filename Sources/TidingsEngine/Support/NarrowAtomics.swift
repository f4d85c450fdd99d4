public import CTidingsSystem

extension AtomicByte {
    @inlinable
    @_transparent
    package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe tidings_store_8(address, value.atomicByte, ordering.rawValue)
    }

    @inlinable
    @_transparent
    package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicByte: unsafe tidings_exchange_8(address, value.atomicByte, ordering.rawValue))
    }
}

extension AtomicUInt32 {
    @inlinable
    @_transparent
    package func exchange(_ value: UInt32, ordering: AtomicUpdateOrdering) -> UInt32 {
        unsafe tidings_exchange_32(address, value, ordering.rawValue)
    }

    /// Stores `desired` if the current value equals `expected`. Otherwise, the operation is only a load.
    @inlinable
    @_transparent
    package func compareExchange(
        expected: UInt32, desired: UInt32, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: UInt32) {
        let before = unsafe tidings_compare_exchange_32(
            address, expected, desired, ordering.rawValue)
        return (before == expected, before)
    }

    @inlinable
    @_transparent
    @discardableResult
    package func wrappingAdd(_ value: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        let before = unsafe tidings_add_32(address, value, ordering.rawValue)
        return (before, before &+ value)
    }

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
