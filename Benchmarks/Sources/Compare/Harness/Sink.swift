/// An integer to which handlers add, on its own cache lines. Its memory is never freed.
///
/// The optimizer can't see which code reads the memory, so it can't remove the additions. Each notification carries its
/// sink, so that threads that post in parallel don't share a sink.
@safe
struct Sink: @unchecked Sendable {  // written by one thread at a time
    private let count: UnsafeMutablePointer<Int>

    /// Creates a sink whose offset in its page differs from the previous sink's. Each sample has a new sink, so that no
    /// contender has a good or bad offset for a whole run.
    init() {
        let lines = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 128)
        // The integer isn't at the beginning of a cache line, because peers may read memory there in each call. If a
        // word was just written at the same offset of another page, a processor mistakes such a read for a read of that
        // word, and waits. The memory is new, and its size and alignment suffice for an integer.
        unsafe count = (lines + 56).bindMemory(to: Int.self, capacity: 1)
        unsafe count.initialize(to: 0)
    }

    /// The sink as an integer, for peers that pass untyped values.
    var address: Int { unsafe Int(bitPattern: count) }

    @inline(__always)
    init?(address: Int) {
        // The number comes from `address`, and the memory is never freed.
        guard let count = unsafe UnsafeMutablePointer<Int>(bitPattern: address) else { return nil }
        unsafe self.count = unsafe count
    }

    /// The pointer to the integer, for C++ code.
    var pointer: UnsafeMutablePointer<Int> { unsafe count }

    @inline(__always)
    func add(_ number: Int) {
        // The memory is never freed, and only the thread that posts writes it.
        unsafe count.pointee &+= number
    }

    func take() -> Int {
        // The memory is never freed, and only the thread that posts reads and resets it.
        defer { unsafe count.pointee = 0 }
        return unsafe count.pointee
    }
}
