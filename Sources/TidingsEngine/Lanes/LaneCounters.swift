import Synchronization

/// A counter for each lane, so that threads which count at the same time do not write to the same cache line, and one more for
/// posts that are in no lane.
@safe
package final class LaneCounters: @unchecked Sendable {  // the counters are atomic
    /// Two cache lines for the lanes of one thread: a home, and the three behind it that its nested posts use.
    private static let stride = 32
    private static let count = Lanes.capacity + 1

    private let base: UnsafeMutableRawPointer

    /// Makes counters that stand at 0.
    package init() {
        // Freed in `deinit`.
        unsafe base = .allocate(byteCount: LaneCounters.count * LaneCounters.stride, alignment: 128)
        for index in 0..<LaneCounters.count {
            unsafe (base + index * LaneCounters.stride).bindMemory(to: Atomic<Int>.self, capacity: 1)
                .initialize(to: Atomic(0))
        }
    }

    deinit { unsafe base.deallocate() }

    /// Adds to the counter of a lane.
    ///
    /// - Parameters:
    ///   - number: What to add.
    ///   - lane: The number of the lane, in which the caller makes a post; `nil` if it is in none.
    /// - Returns: How it stood before.
    package func add(_ number: Int, in lane: Int?) -> Int {
        let offset = (lane ?? Lanes.capacity) * LaneCounters.stride
        // Initialised above.
        let counter = unsafe (base + offset).assumingMemoryBound(to: Atomic<Int>.self)
        return unsafe counter.pointee.wrappingAdd(number, ordering: .relaxed).oldValue
    }
}
