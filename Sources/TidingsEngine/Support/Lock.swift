public import Synchronization

#if canImport(Darwin)
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

        /// Does nothing and returns `nil` if another thread holds the lock.
        package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            try mutex.withLockIfAvailable(body)
        }
    }
#else
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A value that is reached only while a mutual-exclusion lock is held. All locking in the package goes through it.
    ///
    /// Not `Mutex`, which on Linux hands the lock from one waiting thread to the next in the kernel: with eight threads it makes
    /// a hundredth of the steps a second that one thread makes. Here a thread that comes takes the lock if it is free, also before threads that wait.
    /// The thread sanitizer knows the atomic steps and pthread's functions, but not what `Mutex` uses.
    @usableFromInline
    @safe
    package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // the value is only used locked
        @usableFromInline let word = LockWord()

        /// Allocated and initialised in `init`, freed in `deinit`, when no other thread can be using the lock. In memory of its own, as
        /// the thread sanitizer takes an access to it for one to everything that lies in the same variable.
        @usableFromInline let value: UnsafeMutablePointer<Value>

        @inlinable
        package init(_ value: consuming sending Value) {
            unsafe self.value = .allocate(capacity: 1)
            unsafe self.value.initialize(to: value)
        }

        // Not inlinable: it destroys the word, whose `deinit` is not either, and the optimiser of Swift 6.3 stops at that.
        deinit {
            unsafe value.deinitialize(count: 1)
            unsafe value.deallocate()
        }

        @inlinable
        package func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
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
            defer { word.unlock() }
            return try unsafe body(&value.pointee)
        }
    }

    /// The word that threads compete for, and the room in which they wait for it: the mutex of Drepper's *Futexes are tricky*, with
    /// a condition variable in the place of the futex.
    @usableFromInline
    @safe
    struct LockWord: ~Copyable {
        /// Whether a thread has the lock, and whether one may be waiting, which the thread that unlocks has to wake.
        @usableFromInline static var free: UInt32 { 0 }
        @usableFromInline static var held: UInt32 { 1 }
        @usableFromInline static var contended: UInt32 { 2 }

        @usableFromInline let word = Atomic<UInt32>(LockWord.free)

        /// A `WaitingRoom`, retained; nil until a thread had to wait.
        private let room = unsafe Atomic<UnsafeRawPointer?>(nil)

        /// How often the word is looked at before a thread waits: most sections under a lock are shorter than to wait and wake.
        private static let patience = 100

        @usableFromInline
        init() {}

        deinit {
            // Retained when it was stored; no thread uses the lock any more.
            if let room = unsafe room.load(ordering: .relaxed) {
                unsafe Unmanaged<WaitingRoom>.fromOpaque(room).release()
            }
        }

        @inlinable
        @inline(__always)
        borrowing func lock() {
            if !tryLock() { wait() }
        }

        /// Sequentially consistent, as is the end of the lock: a thread that stores a flag and then finds the lock held can count on
        /// its holder, who loads the flag after it has unlocked.
        @inlinable
        @inline(__always)
        borrowing func tryLock() -> Bool {
            word.compareExchange(
                expected: LockWord.free, desired: LockWord.held, successOrdering: .sequentiallyConsistent,
                failureOrdering: .sequentiallyConsistent
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
            // Taken as contended, as others may be waiting. The room is locked between the exchange and the wait, so `wake` cannot come
            // in between.
            waitingRoom.wait { word.exchange(LockWord.contended, ordering: .sequentiallyConsistent) == LockWord.free }
        }

        @usableFromInline
        @inline(never)
        borrowing func wake() { waitingRoom.wakeOne() }

        private var waitingRoom: WaitingRoom {
            if let found = unsafe room.load(ordering: .acquiring) {
                // Kept until `deinit`.
                return unsafe Unmanaged<WaitingRoom>.fromOpaque(found).takeUnretainedValue()
            }
            let new = WaitingRoom()
            let address = unsafe UnsafeRawPointer(Unmanaged.passRetained(new).toOpaque())
            // Releasing: the room is made before another thread finds it. Acquiring: so it is if another thread was first.
            let (exchanged, found) = unsafe room.compareExchange(
                expected: nil, desired: address, ordering: .acquiringAndReleasing)
            guard !exchanged, let found = unsafe found else { return new }
            unsafe Unmanaged<WaitingRoom>.fromOpaque(address).release()
            return unsafe Unmanaged<WaitingRoom>.fromOpaque(found).takeUnretainedValue()
        }
    }

    /// Where threads wait for a lock.
    @safe
    private final class WaitingRoom {
        // Allocated and initialised here, and destroyed in `deinit`, when the lock's word has gone.
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

        init() {
            unsafe pthread_mutex_init(mutex, nil)
            unsafe pthread_cond_init(condition, nil)
        }

        deinit {
            unsafe pthread_cond_destroy(condition)
            unsafe pthread_mutex_destroy(mutex)
            unsafe condition.deallocate()
            unsafe mutex.deallocate()
        }

        /// Waits until a condition holds, which is looked at first, and after each time that a thread is woken.
        func wait(until isOver: () -> Bool) {
            unsafe pthread_mutex_lock(mutex)
            while !isOver() { unsafe pthread_cond_wait(condition, mutex) }
            unsafe pthread_mutex_unlock(mutex)
        }

        func wakeOne() {
            unsafe pthread_mutex_lock(mutex)
            unsafe pthread_cond_signal(condition)
            unsafe pthread_mutex_unlock(mutex)
        }
    }
#endif
