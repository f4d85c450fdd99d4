import CMachine
import Synchronization

/// Where in a page of the stack a sample begins.
///
/// A processor takes a load for one of a recent store if both lie at the same place of a page, and then waits. Where the stack
/// begins in its page is the system's choice, and holds for a whole run, which would be an unlucky one for some contenders.
/// So each sample begins at another place.
enum StackDepth {
    private static let step = 16
    private static let places = 4096 / step

    /// How many samples there were.
    private static let count = Atomic<UInt64>(0)

    /// Does some work at another place than the last.
    static func vary<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        // Multiples of the golden ratio are spread evenly, also every second or third of them.
        let place = Int((number &* 0x9E37_79B9_7F4A_7C15) >> 32) % places
        return try below(place * step, work)
    }

    /// Does some work so many bytes further down the stack.
    @inline(never)
    private static func below<Result, Failure: Error>(
        _ bytes: Int, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // No more at once, as larger memory may come from the heap.
        let room = min(bytes, 1024)
        return try unsafe withUnsafeTemporaryAllocation(byteCount: max(room, 1), alignment: 16) {
            memory throws(Failure) in
            unsafe machine_keep(memory.baseAddress)
            return try room == bytes ? work() : below(bytes - room, work)
        }
    }
}
