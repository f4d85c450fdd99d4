#if TSAN
    // The thread sanitizer does not know the futex operations of `Mutex` and reports false races; it knows pthread's.
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// A value that is reached only while a mutual-exclusion lock is held. All locking in the package goes through it.
    @safe
    @usableFromInline
    package final class Lock<Value: ~Copyable>: @unchecked Sendable {  // `value` is only used locked
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private var value: Value

        @usableFromInline
        package init(_ value: consuming sending Value) {
            self.value = value
            // Allocated above, initialised once here, destroyed once in `deinit`.
            unsafe pthread_mutex_init(mutex, nil)
        }

        deinit {
            // Nobody can hold the lock of an object that is being deinitialised.
            unsafe pthread_mutex_destroy(mutex)
            unsafe mutex.deallocate()
        }

        @usableFromInline
        package func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            // The pointer is valid as long as `self` is.
            unsafe pthread_mutex_lock(mutex)
            defer { unsafe pthread_mutex_unlock(mutex) }
            return try body(&value)
        }

        /// Does nothing and returns `nil` if somebody holds the lock.
        package func withLockIfAvailable<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            // As above.
            if unsafe pthread_mutex_trylock(mutex) != 0 { return nil }
            defer { unsafe pthread_mutex_unlock(mutex) }
            return try body(&value)
        }
    }
#else
    public import Synchronization

    /// A value that is reached only while a mutual-exclusion lock is held. All locking in the package goes through it.
    @usableFromInline
    package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        @inlinable
        package init(_ value: consuming sending Value) {
            mutex = Mutex(value)
        }

        @inlinable
        package func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }

        /// Does nothing and returns `nil` if somebody holds the lock.
        package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            try mutex.withLockIfAvailable(body)
        }
    }
#endif
