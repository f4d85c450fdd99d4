/// Where handlers count, on cache lines of its own. It is never freed, as it is small.
///
/// It is memory that the optimiser cannot see through, and it travels with each notification, so that threads that post side
/// by side do not share one.
@safe
struct Sink: @unchecked Sendable {  // written by one thread at a time
    private let count: UnsafeMutablePointer<Int>

    /// Makes a sink at another place of a page than the last: one is made for each sample, so that no contender is lucky or
    /// unlucky with its place for a whole run.
    init() {
        let lines = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 128)
        // Not at the beginning of a line, where peers may have what they read for each call: a processor takes a word for
        // one that was written a moment ago if it lies at the same place of another page, and then waits.
        // Fresh memory that is large and aligned enough for an integer.
        unsafe count = (lines + 56).bindMemory(to: Int.self, capacity: 1)
        unsafe count.initialize(to: 0)
    }

    /// The sink as a number, for peers that carry untyped values.
    var address: Int { unsafe Int(bitPattern: count) }

    /// The sink that a number stands for; `nil` for zero.
    @inline(__always)
    init?(address: Int) {
        // The number comes from `address`, and the memory is never freed.
        guard let count = unsafe UnsafeMutablePointer<Int>(bitPattern: address) else { return nil }
        unsafe self.count = unsafe count
    }

    /// The memory, for C++.
    var pointer: UnsafeMutablePointer<Int> { unsafe count }

    @inline(__always)
    func add(_ number: Int) {
        // The memory is never freed and only written by the thread that posts.
        unsafe count.pointee &+= number
    }

    /// Returns what was counted and begins again at zero.
    func take() -> Int {
        // As above.
        defer { unsafe count.pointee = 0 }
        return unsafe count.pointee
    }
}
