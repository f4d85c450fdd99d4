/// A closure that can be called where it lies: borrowed from memory, it is neither copied nor retained.
@usableFromInline
struct Observer<N: TypedNotification>: ~Copyable {
    @usableFromInline let body: @Sendable (N) -> Void

    @inlinable
    init(_ body: consuming @escaping @Sendable (N) -> Void) { self.body = body }

    /// Moves an observer into raw memory of its size and alignment.
    @inlinable
    static func move(_ observer: inout Observer?, to memory: UnsafeMutableRawPointer) {
        guard let observer = observer.take() else { preconditionFailure("an observer is added once") }
        // Nothing is in the memory yet.
        unsafe memory.initializeMemory(as: Observer.self, to: observer)
    }

    @inlinable
    borrowing func callAsFunction(_ notification: borrowing N) { body(notification) }
}

/// A notification type that stands for any other where an observer is only destroyed.
enum AnyNotification: TypedNotification {}
