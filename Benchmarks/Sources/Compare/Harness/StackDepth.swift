import CMachine
import Synchronization

/// Varies the offset, in a page of the stack, at which a sample begins.
///
/// If a load and a recent store have the same offset in two pages, a processor mistakes the load for a load of the
/// stored word, and waits. The system chooses the stack's offset once for a whole run, so a contender with an unlucky
/// offset would be slower in every sample. Each sample therefore begins at another offset.
enum StackDepth {
    private static let step = 16
    private static let places = 4096 / step

    private static let count = Atomic<UInt64>(0)

    static func vary<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        // The multiples of the golden ratio are spread evenly, even if only every second or third is used.
        let place = Int((number &* 0x9E37_79B9_7F4A_7C15) >> 32) % places
        return try below(place * step, work)
    }

    @inline(never)
    private static func below<Result, Failure: Error>(
        _ bytes: Int, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Each call allocates at most 1024 bytes, because a larger temporary allocation may come from the heap.
        let room = min(bytes, 1024)
        return try unsafe withUnsafeTemporaryAllocation(byteCount: max(room, 1), alignment: 16) {
            memory throws(Failure) in
            unsafe machine_keep(memory.baseAddress)
            return try room == bytes ? work() : below(bytes - room, work)
        }
    }
}
