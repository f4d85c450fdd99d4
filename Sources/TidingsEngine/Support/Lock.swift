#if SYSTEM_LOCK || UNFAIR_LOCK
    import CTidingsSystem

    /// A value that is reached only while a mutual-exclusion lock is held. All locking in the package goes through it.
    ///
    /// Not `Mutex`, which on Linux hands the lock from one waiting thread to the next in the kernel: with eight threads it makes
    /// a hundredth of the steps a second that one thread makes. Here a thread that comes takes the lock if it is free, also
    /// before threads that wait. The thread sanitizer knows the atomic steps, but not what `Mutex` uses.
    @usableFromInline
    @safe
    package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // the value is only used locked
        @usableFromInline let word = LockWord()

        /// Allocated and initialised in `init`, freed in `deinit`, when no other thread can be using the lock. In memory of its
        /// own, as the thread sanitizer takes an access to it for one to everything that lies in the same variable.
        @usableFromInline let value: UnsafeMutablePointer<Value>

        @inlinable
        package init(_ value: consuming sending Value) {
            unsafe self.value = .allocate(capacity: 1)
            unsafe self.value.initialize(to: value)
        }

        deinit {
            unsafe value.deinitialize(count: 1)
            unsafe value.deallocate()
        }

        @inlinable
        package func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            #if DEBUG
                LockCount.add()
            #endif
            word.lock()
            defer { word.unlock() }
            return try unsafe body(&value.pointee)
        }

        /// Does nothing and returns `nil` if another thread holds the lock.
        @inlinable
        package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            if !word.tryLock() { return nil }
            #if DEBUG
                LockCount.add()
            #endif
            defer { word.unlock() }
            return try unsafe body(&value.pointee)
        }

        /// Orders the end of the lock before a load behind it, and a store before a look that finds the lock held. The steps of a
        /// word that the kernel knows are sequentially consistent themselves, so there is nothing to do if that store and that
        /// load are.
        @inlinable
        @inline(__always)
        package static func fence() {
            #if !SYSTEM_LOCK
                atomicMemoryFence(ordering: .sequentiallyConsistent)
            #endif
        }
    }
#endif

#if SYSTEM_LOCK

    /// The word that threads compete for, and wait for in the kernel: the second mutex of Drepper's *Futexes are tricky*.
    ///
    /// Not a condition variable of the C library: that of glibc before 2.41 can lose a signal that comes while a third thread
    /// begins to wait (its bug 25847). A lock would lose the only thread that knows that another one waits.
    @usableFromInline
    @safe
    struct LockWord: ~Copyable {
        /// Whether a thread has the lock, and whether one may be waiting, which the thread that unlocks has to wake.
        @usableFromInline static var free: UInt32 { 0 }
        @usableFromInline static var held: UInt32 { 1 }
        @usableFromInline static var contended: UInt32 { 2 }

        @usableFromInline let word = AtomicUInt32(LockWord.free)

        /// How often the word is looked at before a thread waits: most sections under a lock are shorter than to wait and wake.
        private static let patience = 100

        @usableFromInline
        init() {}

        @inlinable
        @inline(__always)
        borrowing func lock() {
            if !tryLock() { wait() }
        }

        /// Sequentially consistent, as is the end of the lock: a thread that stores a flag and then finds the lock held can count
        /// on its holder, who loads the flag after it has unlocked.
        @inlinable
        @inline(__always)
        borrowing func tryLock() -> Bool {
            word.compareExchange(
                expected: LockWord.free, desired: LockWord.held, ordering: .sequentiallyConsistent
            ).exchanged
        }

        @inlinable
        @inline(__always)
        borrowing func unlock() {
            if word.exchange(LockWord.free, ordering: .sequentiallyConsistent) == LockWord.contended { wake() }
        }

        @usableFromInline
        @inline(never)
        borrowing func wait() {
            for _ in 0..<LockWord.patience {
                if word.load(ordering: .relaxed) == LockWord.free, tryLock() { return }
            }
            // Taken as contended, as others may be waiting. A thread that unlocks between the exchange and the wait changes the
            // word, so the kernel does not let this one sleep.
            while word.exchange(LockWord.contended, ordering: .sequentiallyConsistent) != LockWord.free {
                // The address is the same for as long as the lock exists.
                unsafe tidings_wait_while_equal(word.address, LockWord.contended)
            }
        }

        @usableFromInline
        @inline(never)
        borrowing func wake() {
            // The same address as above.
            unsafe tidings_wake_one(word.address)
        }
    }
#endif
