import CTidingsSystem

/// The two fences between a post that announces a call and a drain that looks for one.
///
/// A post stores which entry it calls next, fences, and loads whether the entry is live. A drain stores that it is not, and that
/// it wants to be told, fences, and loads the announcements. With both fences one of the two sees what the other has stored.
///
/// Where the system can fence all threads of the process at once, the drain does that for both sides, and the post's fence is one
/// for the compiler alone, which costs nothing. Everywhere else each side makes its own.
enum CallFence {
    /// The fence of a post, behind its announcement.
    @inline(__always)
    static func ofPost() {
        #if SYSTEM_FENCE
            tidings_fence_compiler()
        #else
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        #endif
    }

    /// The fence of a drain, behind its wish to be told.
    ///
    /// - Returns: false if the system could not make it.
    static func ofDrain() -> Bool {
        #if SYSTEM_FENCE
            tidings_fence_process()
        #else
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            return true
        #endif
    }
}
