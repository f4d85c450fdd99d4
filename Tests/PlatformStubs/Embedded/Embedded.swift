// Declarations that Embedded Swift's standard library lacks, for a system with one thread.

/// A lock that is never held by another thread.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let value: UnsafeMutablePointer<Value>

    /// Creates a lock for a value.
    public init(_ value: consuming sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Gives access to the value.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try body(&value.pointee)
    }

    /// Gives access to the value.
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try body(&value.pointee)
    }
}

struct ContinuousClock {
    struct Instant {
        static var now: Instant { Instant() }

        func duration(to other: Instant) -> Duration { .zero }
    }

    static var now: Instant { Instant() }
}
