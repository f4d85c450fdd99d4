import CMachine

/// What is known of the heap.
enum Heap {
    /// Does some work and says how many blocks it allocated, and how many bytes more are in use after it.
    ///
    /// No other thread may allocate meanwhile.
    static func watch(_ work: () throws -> Void) rethrows -> (allocations: Double, bytes: Double) {
        heap_begin()
        try work()
        let use = heap_end()
        return (Double(use.allocations), Double(use.bytes))
    }

    /// How large the block of an object is.
    static func size(of object: AnyObject) -> Int {
        withExtendedLifetime(object) {
            // The object is alive, and was allocated by `malloc`, as every Swift object is.
            unsafe Int(heap_usable_size(Unmanaged.passUnretained(object).toOpaque()))
        }
    }

    /// Makes an object whose block is as large.
    static func object(ofSize size: Int) -> ManagedBuffer<Void, UInt8> {
        .create(minimumCapacity: size - headerSize) { _ in }
    }

    /// What an object has in front of its bytes: its type and its reference count.
    private static let headerSize = 2 * MemoryLayout<Int>.size
}
