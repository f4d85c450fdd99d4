import CTidingsSystem

/// The fences of a post, which announces its calls, and of a drain, which waits for a cancelled entry's calls.
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

    /// Executes the drain's fence, after the drain's request. Returns `false` if the system couldn't execute it.
    static func ofDrain() -> Bool {
        #if SYSTEM_FENCE
            tidings_fence_process()
        #else
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            return true
        #endif
    }
}
