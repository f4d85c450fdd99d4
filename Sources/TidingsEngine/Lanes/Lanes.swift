import Synchronization

#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#else
    public import Darwin
#endif

/// The lanes of the process: who posts to which channel at this moment.
///
/// A post claims a lane by writing its channel's address into it, and leaves by taking it out again. Whoever removes
/// something from a channel scans the lanes: if none names the channel, no post can see what was removed, and it can be
/// freed at once. Otherwise the lanes found are marked, and the marked posts free it on their way out.
///
/// A claim is a sequentially consistent read-modify-write, and what a post reads after it is read sequentially
/// consistently. A removal is a sequentially consistent store, and the scan after it reads sequentially consistently. All
/// of these stand in one order, so either the post sees the removal, or the scan sees the post.
@usableFromInline
@safe
struct Lanes: @unchecked Sendable {  // the memory is never freed, and only reached atomically
    /// The most lanes that can be in use at once; a set of lanes is the bits of a `UInt64`.
    @usableFromInline static let capacity = 64

    /// The lanes of the process.
    @usableFromInline static let shared = Lanes()

    /// Lane `i` lies at `i * Lane.stride`.
    @usableFromInline let base: UnsafeMutableRawPointer

    /// The number of lanes ever used, and the lanes that belong to a thread.
    private let registry = LaneRegistry()

    @usableFromInline let key: pthread_key_t

    private init() {
        // Allocated once per process and never freed.
        unsafe base = .allocate(byteCount: Lanes.capacity * Lane.stride, alignment: Lane.stride)
        for index in 0..<Lanes.capacity { unsafe Lane(base + index * Lane.stride).initialize() }
        var key = pthread_key_t()
        // The destructor gets the value that the thread had set, which is its lane's number plus one.
        let status = unsafe pthread_key_create(&key) { value in
            let number = UInt(bitPattern: value)
            Lanes.shared.registry.release(Int(number) - 1)
        }
        precondition(status == 0, "the process has no thread-local keys left")
        self.key = key
    }

    @inlinable
    @inline(__always)
    func lane(_ index: Int) -> Lane {
        // `index` is below the capacity.
        unsafe Lane(base + index &* Lane.stride)
    }

    /// Claims a lane for a post to a channel; `nil` if all are taken.
    @inlinable
    @inline(__always)
    func claim(_ channel: UInt) -> Lane? {
        // A thread's value is its lane's number plus one, or nil.
        let number = unsafe UInt(bitPattern: pthread_getspecific(key))
        if number != 0 {
            let lane = lane(Int(bitPattern: number &- 1))
            if lane.claim(channel) { return lane }
        }
        return claimOther(channel, home: number == 0 ? nil : Int(bitPattern: number &- 1))
    }

    /// Gives the thread a lane of its own, or claims another one if its own is taken by an outer post.
    @usableFromInline
    func claimOther(_ channel: UInt, home: Int?) -> Lane? {
        let home = home ?? acquireHome()
        for offset in 0..<Lanes.capacity {
            let index = (home + offset) % Lanes.capacity
            registry.use(index)
            if lane(index).claim(channel) { return lane(index) }
        }
        return nil
    }

    private func acquireHome() -> Int {
        let home = registry.acquire()
        // The value is a number, never followed as a pointer.
        unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: home + 1))
        return home
    }

    /// How often a lane is looked at before a post is thought to last: less than a microsecond.
    private static let patience = 512

    /// Whether every post to a channel has left that was in a lane when this began.
    ///
    /// Waits for a moment, as most posts are over sooner than they could be told to free what was removed. A post that this
    /// thread is in is not waited for.
    func haveLeft(_ channel: UInt) -> Bool {
        var looks = Lanes.patience
        for index in 0..<registry.used {
            let lane = lane(index)
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
        let number = unsafe UInt(bitPattern: pthread_getspecific(key))
        return number != 0 && lane(Int(bitPattern: number &- 1)).post != 0
    }

    // MARK: With the channel's lock held

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

    /// Whether a post to the channel is calling the entry, as far as can be seen.
    func isCalling(_ entry: UInt, of channel: UInt) -> Bool {
        lanes { $0.isCalling(entry, of: channel) } != 0
    }

    private func lanes(where isIncluded: (Lane) -> Bool) -> UInt64 {
        var set: UInt64 = 0
        for index in 0..<registry.used where isIncluded(lane(index)) { set |= 1 << UInt64(index) }
        return set
    }
}
