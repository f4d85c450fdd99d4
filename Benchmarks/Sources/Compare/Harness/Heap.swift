import CMachine

enum Heap {
    /// Returns how many blocks `work` allocates, and how many more bytes are in use afterwards. No other thread may
    /// allocate memory at the same time.
    static func watch(_ work: () throws -> Void) rethrows -> (allocations: Double, bytes: Double) {
        heap_begin()
        try work()
        let use = heap_end()
        return (Double(use.allocations), Double(use.bytes))
    }

    static func size(of object: AnyObject) -> Int {
        withExtendedLifetime(object) {
            // The object is alive, and was allocated with `malloc`, like every Swift object.
            unsafe Int(heap_usable_size(Unmanaged.passUnretained(object).toOpaque()))
        }
    }

    static func object(ofSize size: Int) -> ManagedBuffer<Void, UInt8> {
        .create(minimumCapacity: size - headerSize) { _ in }
    }

    /// The header of an object contains its type and its reference count.
    private static let headerSize = 2 * MemoryLayout<Int>.size
}
