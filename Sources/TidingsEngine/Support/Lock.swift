#if SYSTEM_LOCK || UNFAIR_LOCK
    import CTidingsSystem

    /// A lock that protects a value, like `Mutex`. On Linux, the kernel hands a `Mutex` from one waiting thread to the
    /// next. So with eight threads, a `Mutex` completes a hundredth of the operations that it completes with one. This
    /// lock lets an arriving thread take a free lock, even if others are waiting. The thread sanitizer also understands
    /// the atomic operations of this lock, unlike those of `Mutex`.
    @usableFromInline
    @safe
    package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // the value is only used under the lock
        @usableFromInline let word = LockWord()

        /// The protected value. It is initialized in `init` and freed in `deinit`, when no other thread can be using
        /// the lock. It has its own allocation, because the thread sanitizer treats an access to a stored property as
        /// an access to the whole struct.
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

        /// One thread executes the fence between an unlock and a load, another thread between a store and an attempt to
        /// lock. If the attempt fails, the load sees the store. The load and the store must be sequentially consistent.
        /// With `SYSTEM_LOCK`, operations on the lock word are sequentially consistent too, so no fence is needed.
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

    /// The mutex of Drepper's paper *Futexes Are Tricky*: threads wait on the word in the kernel. The condition
    /// variables of the C library aren't used. In glibc before version 2.41, a signal can be lost if another thread
    /// begins to wait at the same moment (glibc bug 25847).
    @usableFromInline
    @safe
    struct LockWord: ~Copyable {
        @usableFromInline static var free: UInt32 { 0 }
        @usableFromInline static var held: UInt32 { 1 }
        /// A thread holds the lock and others may be waiting, so the unlock has to wake one.
        @usableFromInline static var contended: UInt32 { 2 }

        @usableFromInline let word = AtomicUInt32(LockWord.free)

        /// How many times a thread reads the word before it waits. Most critical sections are shorter than a wait.
        private static let patience = 100

        @usableFromInline
        init() {}

        @inlinable
        @inline(__always)
        borrowing func lock() {
            if !tryLock() { wait() }
        }

        /// Takes the lock if it is free. Sequentially consistent, like the unlock: if a thread stores a flag and then
        /// finds the lock held, the thread that holds the lock must see the flag in a load after its unlock.
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
            // The word is set to `contended`, because other threads may be waiting. A thread that unlocks between the
            // exchange and the wait changes the word, so the kernel doesn't put this thread to sleep.
            while word.exchange(LockWord.contended, ordering: .sequentiallyConsistent) != LockWord.free {
                // The address is stable for as long as the lock exists.
                unsafe tidings_wait_while_equal(word.address, LockWord.contended)
            }
        }

        @usableFromInline
        @inline(never)
        borrowing func wake() {
            // The address is stable for as long as the lock exists.
            unsafe tidings_wake_one(word.address)
        }
    }
#endif
