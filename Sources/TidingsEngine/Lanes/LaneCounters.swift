/// Counts posts and calls. Each lane has its own two counters, so that threads don't share a cache line.
@safe
package final class LaneCounters: @unchecked Sendable {  // the counters are atomic
    /// The counters of a thread's home lane and of the next three lanes, for nested posts, share a cache line.
    private static let stride = Lane.stride / 16
    private static let count = Lanes.capacity + 1

    private let base: UnsafeMutableRawPointer

    /// The address of a lane's counters, minus a sixteenth of the lane's address. The difference is the same for all
    /// lanes, so a post computes the address of its counters in two operations.
    let distance: UInt

    package init() {
        // Freed in `deinit`.
        unsafe base = .allocate(byteCount: LaneCounters.count * LaneCounters.stride, alignment: 64)
        // The lanes are aligned to more than 16 bytes, so the division loses nothing.
        distance = unsafe UInt(bitPattern: base) &- UInt(bitPattern: Lanes.shared.base) / 16
        for index in 0..<LaneCounters.count {
            unsafe (base + index * LaneCounters.stride).bindMemory(to: Atomic<Int>.self, capacity: 2)
                .initialize(to: Atomic(0))
            unsafe first(of: index).advanced(by: 1).initialize(to: Atomic(0))
        }
    }

    deinit {
        for index in 0..<LaneCounters.count { unsafe first(of: index).deinitialize(count: 2) }
        unsafe base.deallocate()
    }

    package func add(_ number: Int, in lane: Int?) -> Int {
        unsafe first(of: lane ?? Lanes.capacity).pointee.wrappingAdd(number, ordering: .relaxed).oldValue
    }

    /// The sums of both counters. They include everything counted by threads that this thread has waited for.
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
        // Initialized in `init`.
        unsafe (base + lane * LaneCounters.stride).assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// Counts a post and its calls. Only the post in a lane writes the lane's counters, so a load and a store suffice.
    /// They cost a fifth of an atomic addition. The next post in the lane sees these stores, because its claim acquires
    /// what the end of the previous post released.
    @inline(__always)
    static func countPost(_ calls: Int, in lane: Lane, atDistance distance: UInt) {
        let address = unsafe UInt(bitPattern: lane.address) / 16 &+ distance
        // The lane's counters are at this address, so it isn't 0.
        let posts = unsafe UnsafeMutablePointer<Atomic<Int>>(bitPattern: address).unsafelyUnwrapped
        unsafe posts.pointee.store(posts.pointee.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        let second = unsafe posts + 1
        unsafe second.pointee.store(second.pointee.load(ordering: .relaxed) &+ calls, ordering: .relaxed)
    }

    func countPostWithoutLane(_ calls: Int) {
        let posts = unsafe first(of: Lanes.capacity)
        unsafe posts.pointee.wrappingAdd(1, ordering: .relaxed)
        unsafe (posts + 1).pointee.wrappingAdd(calls, ordering: .relaxed)
    }

    /// Subtracts calls from the counter of posts without a lane, because only the post in a lane may change the lane's
    /// counters.
    func takeBack(_ calls: Int) {
        unsafe (first(of: Lanes.capacity) + 1).pointee.wrappingSubtract(calls, ordering: .relaxed)
    }
}
