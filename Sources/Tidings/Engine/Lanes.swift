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

    /// Two cache lines a lane: processors fetch lines in pairs.
    @usableFromInline static let stride = 128

    /// The lanes of the process.
    @usableFromInline static let shared = Lanes()

    /// Lane `i` lies at `i * stride`.
    @usableFromInline let base: UnsafeMutableRawPointer

    /// The number of lanes ever used, and the lanes that belong to a thread.
    private static let registry = LaneRegistry()

    @usableFromInline let key: pthread_key_t

    private init() {
        let bytes = Lanes.capacity * Lanes.stride
        // Allocated once per process and never freed; `Lane` is initialised in each stride.
        unsafe base = .allocate(byteCount: bytes, alignment: Lanes.stride)
        for index in 0..<Lanes.capacity {
            unsafe (base + index * Lanes.stride).bindMemory(to: Lane.self, capacity: 1).initialize(to: Lane())
        }
        var key = pthread_key_t()
        // The destructor gets the value that the thread had set, which is its lane's number plus one.
        let status = unsafe pthread_key_create(&key) { value in
            let number = UInt(bitPattern: value)
            Lanes.registry.release(Int(number) - 1)
        }
        precondition(status == 0, "the process has no thread-local keys left")
        self.key = key
    }

    /// A claimed lane.
    @usableFromInline
    @safe
    struct Claim {
        @usableFromInline let lane: UnsafeMutablePointer<Lane>
        @usableFromInline let index: Int

        @inlinable
        init(lane: UnsafeMutablePointer<Lane>, index: Int) {
            unsafe self.lane = unsafe lane
            self.index = index
        }
    }

    @inlinable
    @inline(__always)
    func lane(_ index: Int) -> UnsafeMutablePointer<Lane> {
        // `index` is below the capacity; the memory holds a `Lane` there since `init`.
        unsafe (base + index &* Lanes.stride).assumingMemoryBound(to: Lane.self)
    }

    /// Claims a lane for a post to a channel; `nil` if all are taken.
    @inlinable
    @inline(__always)
    func claim(_ channel: UInt) -> Claim? {
        // A thread's value is its lane's number plus one, or nil.
        let number = unsafe UInt(bitPattern: pthread_getspecific(key))
        if number != 0 {
            let index = Int(bitPattern: number &- 1)
            let lane = unsafe lane(index)
            if unsafe lane.pointee.claim(channel) { return unsafe Claim(lane: lane, index: index) }
        }
        return claimOther(channel, index: number == 0 ? nil : Int(bitPattern: number &- 1))
    }

    /// Gives the thread a lane of its own, or claims another one if its own is taken by an outer post.
    @usableFromInline
    func claimOther(_ channel: UInt, index: Int?) -> Claim? {
        let home: Int
        if let index {
            home = index
        } else {
            home = Lanes.registry.acquire()
            // The value is a number, never followed as a pointer.
            unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: home + 1))
        }
        for offset in 0..<Lanes.capacity {
            let index = (home + offset) % Lanes.capacity
            Lanes.registry.use(index)
            if unsafe lane(index).pointee.claim(channel) { return unsafe Claim(lane: lane(index), index: index) }
        }
        return nil
    }

    /// Marks every lane that names a channel, whose lock is held, and returns the set of them.
    func mark(_ channel: UInt) -> UInt64 {
        var marked: UInt64 = 0
        for index in 0..<Lanes.registry.used where unsafe lane(index).pointee.mark(channel) {
            marked |= 1 << UInt64(index)
        }
        return marked
    }

    /// Whether a post to the channel is calling the entry, as far as can be seen.
    func isCalling(_ entry: UInt, of channel: UInt) -> Bool {
        for index in 0..<Lanes.registry.used where unsafe lane(index).pointee.isCalling(entry, of: channel) {
            return true
        }
        return false
    }
}
