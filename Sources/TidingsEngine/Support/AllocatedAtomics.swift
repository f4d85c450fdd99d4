#if ALLOCATED_ATOMICS
    public import CTidingsSystem

    // The same types as in `RawAtomics`, but without experimental features of the compiler, for builds with
    // `TIDINGS_ALLOCATED_ATOMICS=1`. Each variable allocates memory, so that its address is stable. This costs an
    // allocation per variable and another load per operation.

    @usableFromInline
    @safe
    // Every access to the memory is atomic.
    package struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
        @usableFromInline package let address: UnsafeMutablePointer<UInt64>

        @inlinable
        package init(_ value: Value) {
            unsafe address = .allocate(capacity: 1)
            // No other thread can access the variable yet.
            unsafe address.initialize(to: value.atomicWord)
        }

        @inlinable
        deinit { unsafe address.deallocate() }

        @inlinable
        package func load(ordering: AtomicLoadOrdering) -> Value {
            Value(atomicWord: unsafe tidings_load_64(address, ordering.rawValue))
        }
    }

    @usableFromInline
    @safe
    // Every access to the memory is atomic.
    package struct AtomicByte<Value: AtomicByteValue>: ~Copyable, @unchecked Sendable {
        @usableFromInline package let address: UnsafeMutablePointer<UInt8>

        @inlinable
        package init(_ value: Value) {
            unsafe address = .allocate(capacity: 1)
            // No other thread can access the variable yet.
            unsafe address.initialize(to: value.atomicByte)
        }

        @inlinable
        deinit { unsafe address.deallocate() }

        @inlinable
        package func load(ordering: AtomicLoadOrdering) -> Value {
            Value(atomicByte: unsafe tidings_load_8(address, ordering.rawValue))
        }
    }

    @usableFromInline
    @safe
    // Every access to the memory is atomic.
    package struct AtomicUInt32: ~Copyable, @unchecked Sendable {
        @usableFromInline package let address: UnsafeMutablePointer<UInt32>

        @inlinable
        package init(_ value: UInt32) {
            unsafe address = .allocate(capacity: 1)
            // No other thread can access the variable yet.
            unsafe address.initialize(to: value)
        }

        @inlinable
        deinit { unsafe address.deallocate() }

        @inlinable
        package func load(ordering: AtomicLoadOrdering) -> UInt32 {
            unsafe tidings_load_32(address, ordering.rawValue)
        }
    }
#endif
