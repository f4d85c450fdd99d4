/// Two counters for each lane, so that threads which count at the same time do not write to the same cache line, and two more for
/// posts that are in no lane.
@safe
package final class LaneCounters: @unchecked Sendable {  // the counters are atomic
    /// A cache line for the lanes of one thread: a home, and the three behind it that its nested posts use.
    private static let stride = Lane.stride / 16
    private static let count = Lanes.capacity + 1

    private let base: UnsafeMutableRawPointer

    /// What a sixteenth of a lane's address lies before the address of its counters. Channels keep it at hand, so that a post
    /// computes the one from the other in two steps.
    let distance: UInt

    /// Makes counters that stand at 0.
    package init() {
        // Freed in `deinit`.
        unsafe base = .allocate(byteCount: LaneCounters.count * LaneCounters.stride, alignment: 64)
        // The lanes are aligned to more than 16 bytes, so nothing is lost by the division.
        distance = unsafe UInt(bitPattern: base) &- UInt(bitPattern: Lanes.shared.base) / 16
        for index in 0..<LaneCounters.count {
            unsafe (base + index * LaneCounters.stride).bindMemory(to: Atomic<Int>.self, capacity: 2)
                .initialize(to: Atomic(0))
            unsafe first(of: index).advanced(by: 1).initialize(to: Atomic(0))
        }
    }

    deinit { unsafe base.deallocate() }

    /// Adds to the first counter of a lane.
    ///
    /// - Parameters:
    ///   - number: What to add.
    ///   - lane: The number of the lane, in which the caller makes a post; `nil` if it is in none.
    /// - Returns: How it stood before.
    package func add(_ number: Int, in lane: Int?) -> Int {
        unsafe first(of: lane ?? Lanes.capacity).pointee.wrappingAdd(number, ordering: .relaxed).oldValue
    }

    /// The sums of the first and of the second counters. What was counted by threads that this one has waited for is in them.
    package var sums: (Int, Int) {
        var sums = (0, 0)
        for index in 0..<LaneCounters.count {
            let counter = unsafe first(of: index)
            unsafe sums.0 &+= counter.pointee.load(ordering: .relaxed)
            unsafe sums.1 &+= (counter + 1).pointee.load(ordering: .relaxed)
        }
        return sums
    }

    private func first(of lane: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        // Initialised in `init`.
        unsafe (base + lane * LaneCounters.stride).assumingMemoryBound(to: Atomic<Int>.self)
    }

    // MARK: The post

    /// Counts a post with the first counter, and its calls with the second one.
    ///
    /// The post that is in the lane is the only one to write its counters. So a load and a store will do, which cost a fifth of
    /// an atomic addition, and the next post in the lane sees them, as a claim acquires what the end of the last post released.
    ///
    /// - Parameters:
    ///   - calls: How many observers were called.
    ///   - lane: The lane.
    ///   - distance: The ``distance`` of the counters, which the caller keeps.
    @inline(__always)
    static func countPost(_ calls: Int, in lane: Lane, atDistance distance: UInt) {
        let address = unsafe UInt(bitPattern: lane.address) / 16 &+ distance
        // The lane's counters lie there, so the address is not 0.
        let posts = unsafe UnsafeMutablePointer<Atomic<Int>>(bitPattern: address).unsafelyUnwrapped
        unsafe posts.pointee.store(posts.pointee.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        let second = unsafe posts + 1
        unsafe second.pointee.store(second.pointee.load(ordering: .relaxed) &+ calls, ordering: .relaxed)
    }

    /// Counts a post that is in no lane, as other threads may do at the same time.
    func countPostWithoutLane(_ calls: Int) {
        let posts = unsafe first(of: Lanes.capacity)
        unsafe posts.pointee.wrappingAdd(1, ordering: .relaxed)
        unsafe (posts + 1).pointee.wrappingAdd(calls, ordering: .relaxed)
    }

    /// Takes back calls of a post that was counted, with the counters of posts that are in no lane: only the sums say something.
    func takeBack(_ calls: Int) {
        unsafe (first(of: Lanes.capacity) + 1).pointee.wrappingSubtract(calls, ordering: .relaxed)
    }
}
