import CTidingsSystem

/// The two fences between a post, which announces its calls, and a drain, which waits for the running calls of a
/// cancelled entry.
///
/// A post stores which entry it calls next, executes a fence, and then loads whether the entry is live. A drain stores
/// that the entry isn't live, requests reports about the end of calls, executes a fence, and then loads the
/// announcements. So at least one of the two sees what the other has stored. Where the system has a fence for all
/// threads of the process, the drain executes it for both sides. The post's fence is then only a compiler barrier.
enum CallFence {
    @inline(__always)
    static func ofPost() {
        #if SYSTEM_FENCE
            tidings_fence_compiler()
        #else
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        #endif
    }

    /// Executes the drain's fence, after the drain has requested reports. Returns `false` if the system couldn't
    /// execute the fence.
    static func ofDrain() -> Bool {
        #if SYSTEM_FENCE
            tidings_fence_process()
        #else
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            return true
        #endif
    }
}
