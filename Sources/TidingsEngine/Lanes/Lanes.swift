import CTidingsSystem

/// The lanes of the process, which record the channels to which threads are posting.
///
/// They are hazard pointers that protect a whole channel. A post claims a lane by writing its channel's address into
/// it, and leaves by removing the address. A thread that removes memory from a channel then scans the lanes. If no lane
/// contains the channel, no post can see the removed memory, so it can be freed at once. Otherwise the scan marks the
/// lanes that contain the channel, and the posts in these lanes free the memory when they leave.
///
/// A claim is a sequentially consistent read-modify-write operation. The post's later loads are sequentially consistent
/// as well, if they are the first to reach memory that may be freed. These are the loads of a roster's count and head,
/// a chunk's successor and live word, the index of senders, the index's rosters, and the lists of watched entries and
/// monitors. A removal is a sequentially consistent store, or a store followed by a fence. The scan of the lanes after
/// the removal loads with sequential consistency. All of these operations have a single order, so either the post sees
/// the removal, or the scan sees the post. When a post loads a value again, such as the live word before each call, the
/// order can be weaker, because the memory is already protected.
@usableFromInline
@safe
struct Lanes: @unchecked Sendable {  // the memory is never freed, and is only accessed atomically
    /// At most 64, because a set of lanes is a bit mask in a `UInt64`.
    static let capacity = 64

    static let shared = Lanes()

    let base: UnsafeMutableRawPointer

    private let homes: LaneHomes

    private init() {
        // Allocated once per process and never freed.
        unsafe base = .allocate(byteCount: Lanes.capacity * Lane.stride, alignment: Lane.stride)
        for index in 0..<Lanes.capacity { unsafe Lane(base + index * Lane.stride).initialize() }
        // `home` is the address of the thread's home lane, which the thread's posts try first.
        homes = LaneHomes(
            areGivenBack: tidings_watch_thread_ends { home in
                guard let lane = Lanes.home(home) else { return }
                Lanes.shared.homes.release(Lanes.shared.number(of: lane))
            })
    }

    @inline(__always)
    func lane(_ index: Int) -> Lane {
        // `index` is below the capacity.
        unsafe Lane(base + index &* Lane.stride)
    }

    func number(of lane: Lane) -> Int { unsafe (lane.address - base) / Lane.stride }

    @inline(__always)
    static func claimHome(_ channel: UInt) -> Lane? {
        guard let home = home(tidings_home()), home.claim(channel) else { return nil }
        return home
    }

    @inline(__always)
    func claim(_ channel: UInt) -> Lane? { Lanes.claimHome(channel) ?? claimOther(channel) }

    @inline(__always)
    private static func home(_ address: UInt) -> Lane? {
        unsafe UnsafeMutableRawPointer(bitPattern: address).map { unsafe Lane($0) }
    }

    /// Claims another lane for a thread whose home lane is taken. A thread without a home lane is assigned one.
    @inline(never)
    func claimOther(_ channel: UInt) -> Lane? {
        let first = Lanes.home(tidings_home()).map { number(of: $0) + 1 } ?? acquireHome()
        for offset in 0..<Lanes.capacity {
            let index = (first + offset) % Lanes.capacity
            let lane = lane(index)
            if !lane.isFree { continue }
            homes.use(index)
            if lane.claim(channel) { return lane }
        }
        return nil
    }

    private func acquireHome() -> Int {
        let home = homes.acquire()
        unsafe tidings_set_home(UInt(bitPattern: lane(home).address))
        return home
    }

    /// The number of reads after which `haveLeft` stops waiting for posts. The reads take less than a microsecond.
    private static let patience = 512

    /// Returns whether the posts to a channel that were in a lane at the start of this call have all left. Most posts
    /// end soon, so this method waits for them briefly, unless the calling thread is itself posting.
    func haveLeft(_ channel: UInt) -> Bool {
        var looks = Lanes.patience
        var others = homes.used
        while others != 0 {
            let lane = lane(others.trailingZeroBitCount)
            others &= others - 1
            let post = lane.post
            if !Lane.isPost(post, to: channel) { continue }
            if isPosting { return false }
            while lane.post == post {
                if looks == 0 { return false }
                looks -= 1
            }
        }
        return true
    }

    /// Whether this thread's home lane contains a post, usually the thread's outermost one. If it is another thread's
    /// post, `haveLeft` doesn't wait. If all posts of this thread are in other lanes, `haveLeft` may wait in vain.
    private var isPosting: Bool {
        guard let home = Lanes.home(tidings_home()) else { return false }
        return home.post != 0
    }

    func hasPost(to channel: UInt) -> Bool {
        lanes { Lane.isPost($0.post, to: channel) } != 0
    }

    func mark(_ channel: UInt) -> UInt64 {
        lanes { $0.mark(channel) }
    }

    func departed(from channel: UInt) -> UInt64 {
        lanes { $0.hasDeparted(channel) }
    }

    func clear(_ set: UInt64) {
        var set = set
        while set != 0 {
            lane(set.trailingZeroBitCount).clear()
            set &= set - 1
        }
    }

    /// Returns the announced entries, each with a value that identifies the post.
    func numberedCalls(of channel: UInt) -> [UInt: UInt] {
        var calls: [UInt: UInt] = [:]
        _ = lanes { lane in
            let (entry, post) = lane.numberedCall(in: channel)
            // Posts are numbered per lane, so the lane's number is part of the value.
            if entry != 0 { calls[entry] = post << 6 | UInt(number(of: lane)) }
            return entry != 0
        }
        return calls
    }

    private func lanes(where isIncluded: (Lane) -> Bool) -> UInt64 {
        var set: UInt64 = 0
        var others = homes.used
        while others != 0 {
            let index = others.trailingZeroBitCount
            others &= others - 1
            if isIncluded(lane(index)) { set |= 1 << UInt64(index) }
        }
        return set
    }
}

final class LaneHomes: Sendable {
    /// Whether threads give back their home lanes when they end. If they don't, threads share the homes round-robin,
    /// because exclusive homes would run out.
    private let areGivenBack: Bool

    private let owned = Atomic<UInt64>(0)

    /// A bit for each lane that was ever claimed. Scans skip all other lanes.
    private let everUsed = Atomic<UInt64>(0)

    private let sharedCount = Atomic<UInt>(0)

    init(areGivenBack: Bool) { self.areGivenBack = areGivenBack }

    var used: UInt64 { everUsed.load(ordering: .sequentiallyConsistent) }

    /// The lanes that may become homes, as bit masks in the order in which `acquire` tries them. The first masks leave
    /// the lanes after a home to the nested posts of the home's thread. So while there are few threads, no two of them
    /// write to the same lane, or to adjacent cache lines of counters, which some processors fetch together.
    private static let order: [UInt64] = [
        0x0101_0101_0101_0101, 0x1111_1111_1111_1111, 0x5555_5555_5555_5555, .max,
    ]

    func acquire() -> Int {
        var seen = areGivenBack ? owned.load(ordering: .relaxed) : .max
        while seen != .max {
            let first = LaneHomes.order.first { ~seen & $0 != 0 } ?? .max
            let index = (~seen & first).trailingZeroBitCount
            // Acquiring and releasing: everything that the lane's last owner did comes before what the next owner does.
            let (exchanged, original) = owned.compareExchange(
                expected: seen, desired: seen | (1 << UInt64(index)), ordering: .acquiringAndReleasing)
            if exchanged { return index }
            seen = original
        }
        // Shared homes are four lanes apart, as in `order[1]`. Relaxed, because no other memory depends on the choice.
        let number = sharedCount.wrappingAdd(1, ordering: .relaxed).oldValue
        return Int(number % 16 * 4 + number / 16 % 4)
    }

    /// Gives back a home when its thread ends. If threads share the home, the first thread that ends gives it back.
    func release(_ index: Int) {
        owned.bitwiseAnd(~(1 << UInt64(index)), ordering: .acquiringAndReleasing)
    }

    func use(_ index: Int) {
        let bit: UInt64 = 1 << UInt64(index)
        // Acquiring: if another thread has set the bit, its operation comes before the claim that follows here. So in
        // the single order of sequentially consistent operations, a scan that doesn't find the bit precedes the claim.
        if everUsed.load(ordering: .acquiring) & bit == 0 { everUsed.bitwiseOr(bit, ordering: .sequentiallyConsistent) }
    }
}
