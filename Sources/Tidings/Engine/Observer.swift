/// A closure that can be called where it lies: borrowed from memory, it is neither copied nor retained.
@usableFromInline
struct Observer<N: TypedNotification>: ~Copyable {
    @usableFromInline let body: @Sendable (N) -> Void

    @inlinable
    init(_ body: consuming @escaping @Sendable (N) -> Void) { self.body = body }

    @inlinable
    borrowing func callAsFunction(_ notification: borrowing N) { body(notification) }
}

/// A notification type that stands for any other where an observer is only destroyed.
enum AnyNotification: TypedNotification {}
