#if !SYSTEM_LOCK && !UNFAIR_LOCK
    // Embedded Swift has no `Mutex`, and who builds for that brings one.
    #if !hasFeature(Embedded)
        public import struct Synchronization.Mutex
    #endif

    /// A value that is reached only while a mutual-exclusion lock is held. All locking in the package goes through it.
    ///
    /// It is `Mutex`, with a ``fence()`` for what the steps of one do not promise.
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

        /// Does nothing and returns `nil` if another thread holds the lock.
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

        /// Orders the end of the lock before a load behind it, and a store before a look that finds the lock held. Nothing says
        /// that the steps of a `Mutex` do either.
        @inlinable
        @inline(__always)
        package static func fence() { atomicMemoryFence(ordering: .sequentiallyConsistent) }
    }

    #if TSAN
        /// Orders each section under a lock behind the last one by a step that the thread sanitizer sees, as it does not see
        /// those of `Mutex`. In memory of its own, as the sanitizer takes an access to it for one to everything in the same
        /// variable.
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
