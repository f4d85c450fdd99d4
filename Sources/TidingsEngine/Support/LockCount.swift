#if DEBUG
    import CTidingsSystem

    /// The number of locks that each thread has taken, for tests. Release builds don't count.
    @usableFromInline
    package enum LockCount {
        package static var ofThisThread: Int { Int(tidings_locks_of_thread()) }

        @usableFromInline
        static func add() { tidings_count_lock() }
    }
#endif
