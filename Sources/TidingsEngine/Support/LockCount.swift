#if DEBUG
    import CTidingsSystem

    @usableFromInline
    package enum LockCount {
        package static var ofThisThread: Int { Int(tidings_locks_of_thread()) }

        @usableFromInline
        static func add() { tidings_count_lock() }
    }
#endif
