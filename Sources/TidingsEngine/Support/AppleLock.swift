#if UNFAIR_LOCK
    public import CTidingsSystem

    /// An `os_unfair_lock`. It is used on Apple's systems even with `TIDINGS_PORTABLE`, because `Mutex`, which wraps
    /// the same lock, needs macOS 15.
    @usableFromInline
    @safe
    struct LockWord: ~Copyable {
        /// The lock's memory, which only the system's functions access. 0 means that no thread holds the lock.
        @usableFromInline let word = AtomicUInt32(0)

        @usableFromInline
        init() {}

        @inlinable
        @inline(__always)
        borrowing func lock() {
            // The address is the same for as long as the lock exists.
            unsafe tidings_unfair_lock(word.address)
        }

        @inlinable
        @inline(__always)
        borrowing func tryLock() -> Bool {
            // The address is the same for as long as the lock exists.
            unsafe tidings_unfair_trylock(word.address)
        }

        @inlinable
        @inline(__always)
        borrowing func unlock() {
            // The address is the same for as long as the lock exists.
            unsafe tidings_unfair_unlock(word.address)
        }
    }
#endif
