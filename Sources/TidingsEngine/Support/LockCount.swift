#if DEBUG
    import CTidingsSystem

    /// The number of locks that each thread has taken, for the tests that prove that common posts take none.
    ///
    /// It exists only in debug builds, which the tests use, so a lock costs nothing extra in a release build.
    @usableFromInline
    package enum LockCount {
        package static var ofThisThread: Int { Int(tidings_locks_of_thread()) }

        /// Counts a lock that the calling thread has taken.
        @usableFromInline
        static func add() { tidings_count_lock() }
    }
#endif
