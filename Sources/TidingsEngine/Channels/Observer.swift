/// A closure that is called where it lies: borrowed from memory, it is neither copied nor retained.
@usableFromInline
package struct Observer<Payload>: ~Copyable {
    @usableFromInline let body: @Sendable (Payload) -> Void

    @inlinable
    package init(_ body: consuming @escaping @Sendable (Payload) -> Void) { self.body = body }

    /// Moves an observer into raw memory of its size and alignment.
    @inlinable
    static func move(_ observer: inout Observer?, to memory: UnsafeMutableRawPointer) {
        guard let observer = observer.take() else { preconditionFailure("an observer is added once") }
        // Nothing is in the memory yet.
        unsafe memory.initializeMemory(as: Observer.self, to: observer)
    }

    @inlinable
    @inline(__always)
    borrowing func callAsFunction(_ payload: borrowing Payload) { body(payload) }
}
