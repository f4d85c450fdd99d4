#if DEBUG
    import CTidingsSystem

    /// How many locks each thread has taken, for the tests that everyday posts take none.
    ///
    /// It exists in debug builds only, in which tests are built, so that a lock of a release build costs nothing more.
    @usableFromInline
    package enum LockCount {
        package static var ofThisThread: Int { Int(tidings_locks_of_thread()) }

        /// Counts a lock that this thread has taken.
        @usableFromInline
        static func add() { tidings_count_lock() }
    }
#endif
