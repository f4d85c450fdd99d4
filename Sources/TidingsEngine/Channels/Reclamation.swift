import Synchronization

/// How what was taken out of a channel is freed: at once if no post can see it, else by the last post that may.
///
/// A post that is in progress protects everything it may read by its lane, as a hazard pointer protects one object. Who takes
/// something out scans the lanes. Those of posts to this channel are marked, and the posts in them free what waits for them on
/// their way out.
extension Channel {
    /// Takes a step under the lock, and then does what posts left to do.
    @inline(__always)
    final func withState<Result>(_ step: (inout sending ChannelState) -> sending Result) -> Result {
        let result = changing.state.withLock(step)
        if changing.hasDepartures.load(ordering: .sequentiallyConsistent) { freeDeparted() }
        return result
    }

    /// Frees what was taken out: now, if no post can see it, else when the last post that may see it has left.
    final func retire(_ removed: consuming Removed) {
        if removed.isEmpty { return }
        if lanes.haveLeft(name) { return free(removed) }
        let retired = removed
        free(withState { state in state.retire(retired, from: self) })
    }

    /// Frees what no post can see any more; no lock is held, as this runs the `deinit` of what a closure captured.
    private final func free(_ removed: consuming Removed) {
        if let entry = removed.entry { entry.chunk.destroy(entry.index) }
    }

    /// Leaves a lane that was marked.
    final func leaveMarked(_ lane: Lane) {
        lane.depart(name)
        changing.hasDepartures.store(true, ordering: .sequentiallyConsistent)
        freeDeparted()
    }

    /// Frees what waited for posts that have departed. A thread that holds the lock meanwhile does so after letting it go, and
    /// has what is freed in its cache, so that the post need not wait for the lock.
    ///
    /// The unlock is a sequentially consistent step (``Lock``), so the load of the flag behind it, in `withState`, is not made
    /// before other threads see that the lock is free. Hence a post that finds the lock held, after its store of the flag, is
    /// never overlooked.
    private final func freeDeparted() {
        while changing.hasDepartures.load(ordering: .sequentiallyConsistent) {
            let taken = changing.state.withLockIfAvailable { state in
                changing.hasDepartures.store(false, ordering: .sequentiallyConsistent)
                let departed = lanes.departed(from: name)
                let freed = state.retired.take(waitingFor: departed)
                lanes.clear(departed)
                // A drain may have marked the post, so that its leaving ends the wait.
                return (freed: freed, ended: state.takeEndedDrains(in: self))
            }
            guard let taken else { return }
            for continuation in taken.ended { continuation.resume() }
            for removed in taken.freed {
                free(removed)
                removed.entry?.chunk.release()
            }
        }
    }
}
