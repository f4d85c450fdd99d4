#if !SYSTEM_LOCK && !UNFAIR_LOCK
    // Embedded Swift has no `Mutex`, so a build for Embedded Swift has to supply one.
    #if !hasFeature(Embedded)
        public import struct Synchronization.Mutex
    #endif

    @usableFromInline
    package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        #if TSAN
            @usableFromInline let order = SeenOrder()
        #endif

        @inlinable
        package init(_ value: consuming sending Value) {
            mutex = Mutex(value)
        }

        @inlinable
        package func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            #if DEBUG
                LockCount.add()
            #endif
            #if TSAN
                return try mutex.withLock { value throws(Failure) -> sending Result in
                    order.begin()
                    defer { order.end() }
                    return try body(&value)
                }
            #else
                return try mutex.withLock(body)
            #endif
        }

        @inlinable
        package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            try mutex.withLockIfAvailable { value throws(Failure) -> sending Result in
                #if DEBUG
                    LockCount.add()
                #endif
                #if TSAN
                    order.begin()
                    defer { order.end() }
                #endif
                return try body(&value)
            }
        }

        /// Orders an unlock before a later load, and a store before a later attempt to lock that fails. The fence is
        /// needed because `Mutex` doesn't document this order.
        @inlinable
        @inline(__always)
        package static func fence() { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    }

    #if TSAN
        /// Makes the order of critical sections visible to the thread sanitizer, which doesn't see the operations of
        /// `Mutex`. The word has its own allocation, because the sanitizer treats an access to a stored property as an
        /// access to the whole struct.
        @usableFromInline
        final class SeenOrder: Sendable {
            private let word = AtomicByte(false)

            @usableFromInline
            init() {}

            @usableFromInline
            func begin() { _ = word.load(ordering: .acquiring) }

            @usableFromInline
            func end() { word.store(true, ordering: .releasing) }
        }
    #endif
#endif
