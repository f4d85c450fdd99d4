#if !ALLOCATED_ATOMICS
    // `Builtin` is imported for `addressOfRawLayout`. `withUnsafePointer(to:)` yields the same address, but a global
    // whose initializer calls that function is initialized lazily, and each use of the global checks whether it is
    // initialized.
    import Builtin
    public import CTidingsSystem

    // These types replace those of `Synchronization`, which need macOS 15 or iOS 18. They are noncopyable, so a
    // variable keeps its address. A variable is declared with `let`, because changes don't need exclusive access. The
    // types use the experimental features `RawLayout` and `BuiltinModule`, unlike those in `AllocatedAtomics`.

    /// An atomic variable that has 64 bits on every system.
    @usableFromInline
    @safe
    @_rawLayout(like: UInt64)
    // Every access to the memory is atomic.
    package struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
        @inlinable
        @_transparent
        package init(_ value: Value) {
            // No other thread can access the variable yet.
            unsafe address.initialize(to: value.atomicWord)
        }

        #if hasFeature(Embedded)
            // Embedded Swift's optimizer requires a deinitializer and doesn't find the synthesized one.
            @inlinable
            deinit {}
        #endif

        @inlinable
        @_transparent
        package var address: UnsafeMutablePointer<UInt64> {
            // The variable has the layout of the pointer's pointee.
            unsafe UnsafeMutablePointer<UInt64>(Builtin.addressOfRawLayout(self))
        }

        @inlinable
        @_transparent
        package func load(ordering: AtomicLoadOrdering) -> Value {
            // A builtin becomes a single instruction in every client, whereas a call of a C function remains a call in
            // some clients. The memory order is a constant at every call site, so only one branch is left.
            let place = unsafe address._rawValue
            if ordering.rawValue == Int32(tidings_relaxed) {
                return Value(atomicWord: UInt64(Builtin.atomicload_monotonic_Int64(place)))
            }
            if ordering.rawValue == Int32(tidings_acquiring) {
                return Value(atomicWord: UInt64(Builtin.atomicload_acquire_Int64(place)))
            }
            return Value(atomicWord: UInt64(Builtin.atomicload_seqcst_Int64(place)))
        }
    }

    @usableFromInline
    @safe
    @_rawLayout(like: UInt8)
    // Every access to the memory is atomic.
    package struct AtomicByte<Value: AtomicByteValue>: ~Copyable, @unchecked Sendable {
        @inlinable
        @_transparent
        package init(_ value: Value) {
            // No other thread can access the variable yet.
            unsafe address.initialize(to: value.atomicByte)
        }

        #if hasFeature(Embedded)
            @inlinable
            deinit {}
        #endif

        @inlinable
        @_transparent
        package var address: UnsafeMutablePointer<UInt8> {
            // The variable has the layout of the pointer's pointee.
            unsafe UnsafeMutablePointer<UInt8>(Builtin.addressOfRawLayout(self))
        }

        @inlinable
        @_transparent
        package func load(ordering: AtomicLoadOrdering) -> Value {
            let place = unsafe address._rawValue
            if ordering.rawValue == Int32(tidings_relaxed) {
                return Value(atomicByte: UInt8(Builtin.atomicload_monotonic_Int8(place)))
            }
            if ordering.rawValue == Int32(tidings_acquiring) {
                return Value(atomicByte: UInt8(Builtin.atomicload_acquire_Int8(place)))
            }
            return Value(atomicByte: UInt8(Builtin.atomicload_seqcst_Int8(place)))
        }
    }

    /// An atomic variable of 32 bits. Threads can wait in the kernel until it changes.
    @usableFromInline
    @safe
    @_rawLayout(like: UInt32)
    // Every access to the memory is atomic.
    package struct AtomicUInt32: ~Copyable, @unchecked Sendable {
        @inlinable
        @_transparent
        package init(_ value: UInt32) {
            // No other thread can access the variable yet.
            unsafe address.initialize(to: value)
        }

        #if hasFeature(Embedded)
            @inlinable
            deinit {}
        #endif

        @inlinable
        @_transparent
        package var address: UnsafeMutablePointer<UInt32> {
            // The variable has the layout of the pointer's pointee.
            unsafe UnsafeMutablePointer<UInt32>(Builtin.addressOfRawLayout(self))
        }

        @inlinable
        @_transparent
        package func load(ordering: AtomicLoadOrdering) -> UInt32 {
            unsafe tidings_load_32(address, ordering.rawValue)
        }
    }
#endif
