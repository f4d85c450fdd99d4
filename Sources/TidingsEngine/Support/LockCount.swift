#if DEBUG
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// How many locks each thread has taken, for the tests that everyday posts take none.
    ///
    /// It exists in debug builds only, in which tests are built, so that a lock of a release build costs nothing more. It counts for
    /// each thread by itself, as tests run beside each other.
    @usableFromInline
    package enum LockCount {
        /// The thread-local key under which a thread keeps its count.
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            let status = unsafe pthread_key_create(&key, nil)
            precondition(status == 0, "the process has no thread-local keys left")
            return key
        }()

        package static var ofThisThread: Int { unsafe Int(bitPattern: pthread_getspecific(key)) }

        /// Counts a lock that this thread has taken.
        @usableFromInline
        static func add() {
            // The value is a number, never followed as a pointer.
            unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: ofThisThread + 1))
        }
    }
#endif
