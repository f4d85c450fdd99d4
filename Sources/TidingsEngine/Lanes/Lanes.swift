import CTidingsSystem

/// The lanes of the process: which thread posts to which channel at this moment.
///
/// They are hazard pointers that protect a whole channel. A post claims a lane by writing its channel's address into it, and
/// leaves by taking it out again. A thread that takes something out of a channel scans the lanes: if none names the channel, no
/// post can see what was taken out, and it can be freed at once. Otherwise the lanes found are marked, and the marked posts free
/// it on their way out.
///
/// A claim is a sequentially consistent read-modify-write, and so are, behind it, the loads by which a post first reaches memory
/// that may be freed: those of a roster's count and head, of a chunk's successor and its live word, and of the index of senders
/// and its rosters. A removal is a sequentially consistent store, or has a fence behind it, and the scan after that loads sequentially
/// consistently. All of these stand in one order, so either the post sees the removal, or the scan sees the post. What a post loads again, such as
/// the live word before each call, may be weaker: what it protects is protected already.
@usableFromInline
@safe
struct Lanes: @unchecked Sendable {  // the memory is never freed, and only reached atomically
    /// The most lanes that can be in use at once; a set of lanes is the bits of a `UInt64`.
    static let capacity = 64

    /// The lanes of the process.
    static let shared = Lanes()

    /// Lane `i` lies at `i * Lane.stride`.
    let base: UnsafeMutableRawPointer

    private let homes: LaneHomes

    private init() {
        // Allocated once per process and never freed.
        unsafe base = .allocate(byteCount: Lanes.capacity * Lane.stride, alignment: Lane.stride)
        for index in 0..<Lanes.capacity { unsafe Lane(base + index * Lane.stride).initialize() }
        // A thread keeps the number of its home lane plus one.
        homes = LaneHomes(
            areGivenBack: tidings_watch_thread_ends { Lanes.shared.homes.release(Int(bitPattern: $0) - 1) })
    }

    @inline(__always)
    func lane(_ index: Int) -> Lane {
        // `index` is below the capacity.
        unsafe Lane(base + index &* Lane.stride)
    }

    /// The number of a lane.
    func number(of lane: Lane) -> Int { unsafe (lane.address - base) / Lane.stride }

    // MARK: The post

    /// Claims a lane for a post to a channel; `nil` if all are taken.
    @inline(__always)
    func claim(_ channel: UInt) -> Lane? {
        let number = tidings_home()
        if number != 0 {
            let lane = lane(Int(bitPattern: number &- 1))
            if lane.claim(channel) { return lane }
        }
        return claimOther(channel, home: number == 0 ? nil : Int(bitPattern: number &- 1))
    }

    /// Claims the home lane of a thread that had none, or one of those behind a home that is taken: by an outer post, as a rule.
    @inline(never)
    private func claimOther(_ channel: UInt, home: Int?) -> Lane? {
        let first = home.map { $0 + 1 } ?? acquireHome()
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
        tidings_set_home(UInt(bitPattern: home + 1))
        return home
    }

    // MARK: Other threads

    /// How often a lane is looked at before a post is thought to last: less than a microsecond.
    private static let patience = 512

    /// Whether every post to a channel has left that was in a lane when this began.
    ///
    /// Waits for a moment, as most posts are over sooner than they could be told to free what was removed. A post that this
    /// thread is in is not waited for.
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

    /// Whether this thread is posting: a nested post is in another lane, but the outermost one is in the thread's own.
    private var isPosting: Bool {
        let number = tidings_home()
        return number != 0 && lane(Int(bitPattern: number &- 1)).post != 0
    }

    /// Whether a post to a channel is in progress.
    func hasPost(to channel: UInt) -> Bool {
        lanes { Lane.isPost($0.post, to: channel) } != 0
    }

    // MARK: Other threads, which hold the channel's lock

    /// Marks the lanes of all posts to a channel, and returns the set of them.
    func mark(_ channel: UInt) -> UInt64 {
        lanes { $0.mark(channel) }
    }

    /// The lanes of posts to a channel that have departed.
    func departed(from channel: UInt) -> UInt64 {
        lanes { $0.hasDeparted(channel) }
    }

    /// Frees lanes of posts that have departed.
    func clear(_ set: UInt64) {
        var set = set
        while set != 0 {
            lane(set.trailingZeroBitCount).clear()
            set &= set - 1
        }
    }

    /// The addresses of the entries that posts to a channel have announced to call.
    func calls(of channel: UInt) -> [UInt] {
        var calls: [UInt] = []
        _ = lanes { lane in
            let call = lane.call(in: channel)
            if call != 0 { calls.append(call) }
            return call != 0
        }
        return calls
    }

    /// The calls that posts to a channel have announced: the entries, each with what tells one post from the others.
    func numberedCalls(of channel: UInt) -> [UInt: UInt] {
        var calls: [UInt: UInt] = [:]
        var others = homes.used
        while others != 0 {
            let index = others.trailingZeroBitCount
            others &= others - 1
            let (entry, post) = lane(index).numberedCall(in: channel)
            // Posts are numbered for each lane.
            if entry != 0 { calls[entry] = post << 6 | UInt(index) }
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

/// Which lanes are the home of a thread, and which were ever used.
final class LaneHomes: Sendable {
    /// Whether the system tells when a thread ends. If not, threads that come and go would soon have taken every lane, so homes
    /// are shared from the beginning, in turn.
    private let areGivenBack: Bool

    /// A bit for each lane that is some thread's home.
    private let owned = Atomic<UInt64>(0)

    /// A bit for each lane that was ever claimed: scans pass over the others.
    private let everUsed = Atomic<UInt64>(0)

    /// How many homes that threads share have been given out: when every lane is one, or if none is given back.
    private let sharedCount = Atomic<UInt>(0)

    init(areGivenBack: Bool) { self.areGivenBack = areGivenBack }

    var used: UInt64 { everUsed.load(ordering: .sequentiallyConsistent) }

    /// The lanes that become homes first; those that do next, with the first ones; then all. The lanes behind a home are left to
    /// the nested posts of its thread: while there are few threads, no two of them write to the same lane, nor to neighbouring
    /// cache lines of counters, which some processors fetch together.
    private static let order: [UInt64] = [
        0x0101_0101_0101_0101, 0x1111_1111_1111_1111, 0x5555_5555_5555_5555, .max,
    ]

    /// A home for a thread: one that no other thread has, as long as there are any.
    func acquire() -> Int {
        var seen = areGivenBack ? owned.load(ordering: .relaxed) : .max
        while seen != .max {
            let first = LaneHomes.order.first { ~seen & $0 != 0 } ?? .max
            let index = (~seen & first).trailingZeroBitCount
            // Acquiring and releasing: what the lane's last owner did comes before what the next one does.
            let (exchanged, original) = owned.compareExchange(
                expected: seen, desired: seen | (1 << UInt64(index)), ordering: .acquiringAndReleasing)
            if exchanged { return index }
            seen = original
        }
        // Four lanes apart, as those in `order`. Relaxed: which home it is matters to no other memory.
        let number = sharedCount.wrappingAdd(1, ordering: .relaxed).oldValue
        return Int(number % 16 * 4 + number / 16 % 4)
    }

    /// Gives a thread's home back when the thread ends. One that was shared is given back by the first to end.
    func release(_ index: Int) {
        owned.bitwiseAnd(~(1 << UInt64(index)), ordering: .acquiringAndReleasing)
    }

    /// Makes scans include a lane, before it is claimed for the first time.
    func use(_ index: Int) {
        let bit: UInt64 = 1 << UInt64(index)
        // Acquiring: if another thread has set the bit, its step comes before the claim that follows here. So in the one order of
        // sequentially consistent steps, a scan that finds no bit comes before the claim.
        if everUsed.load(ordering: .acquiring) & bit == 0 { everUsed.bitwiseOr(bit, ordering: .sequentiallyConsistent) }
    }
}
