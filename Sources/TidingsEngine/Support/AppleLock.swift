#if UNFAIR_LOCK
    public import CTidingsSystem

    /// The word of a lock on Apple's systems, where threads compete and wait by functions of the system: `os_unfair_lock`, of which
    /// `Mutex` is made there as well, but only since macOS 15.
    ///
    /// All of them have it, so that it is used where nothing else is asked of the system, too.
    @usableFromInline
    @safe
    struct LockWord: ~Copyable {
        /// Memory that stays where it is. Only the system's functions use it; 0 is a lock that nobody holds.
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
            // As above.
            unsafe tidings_unfair_trylock(word.address)
        }

        @inlinable
        @inline(__always)
        borrowing func unlock() {
            // As above.
            unsafe tidings_unfair_unlock(word.address)
        }
    }
#endif
