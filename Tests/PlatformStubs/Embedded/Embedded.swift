// Declarations that Embedded Swift's standard library lacks, for a system with one thread.

/// A stand-in for the standard library's lock. It never waits, because there is only one thread.
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

    /// Calls a closure with access to the value.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try body(&value.pointee)
    }

    /// Calls a closure with access to the value, which is always available.
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
