/// How memory that was taken out of a channel is freed, such as the closure of a cancelled observer: at once if no post can see
/// it, else by the last post that may.
///
/// A post that is in progress protects everything it may read by its lane, as a hazard pointer protects one object. The thread
/// that takes something out scans the lanes. It marks those of posts to this channel, and the last of these posts to leave frees
/// what waits for them. This is deferred reclamation, with a post in the place of RCU's read-side section.
extension Channel {
    /// Takes a step under the lock, and then does what posts left to do.
    @inline(__always)
    final func withState<Result>(_ step: (inout sending ChannelState) -> sending Result) -> Result {
        let result = changing.state.withLock(step)
        Lock<ChannelState>.fence()
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

    /// Frees what no post can see any more: the closure of a cancelled observer ends here. No lock is held, as this runs the
    /// `deinit` of what a closure captured.
    @inline(__always)
    private final func free(_ removed: consuming Removed) {
        if let entry = removed.entry { entry.chunk.destroy(entry.index) }
        removed.performWhenFreed()
    }

    /// Leaves a lane that was marked.
    final func leaveMarked(_ lane: Lane) {
        lane.depart(name)
        changing.hasDepartures.store(true, ordering: .sequentiallyConsistent)
        Lock<ChannelState>.fence()
        freeDeparted()
    }

    /// Frees what waited for posts that have departed. A thread that holds the lock meanwhile does so after letting it go, and
    /// has what is freed in its cache, so that the post need not wait for the lock.
    ///
    /// A post stores the flag, and then finds the lock held; the holder unlocks, and then loads the flag, in `withState` or in
    /// the next round here. Each of the two pairs is in its order for all threads, by the steps of the lock or by
    /// ``Lock/fence()``. So a post that finds the lock held is never overlooked.
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
            Lock<ChannelState>.fence()
            guard let taken else { return }
            for continuation in taken.ended { continuation.resume() }
            for removed in taken.freed {
                free(removed)
                removed.entry?.chunk.release()
            }
        }
    }
}

/// What was taken out of a channel in one step, to be freed when no post can see it, and outside the channel's lock.
struct Removed: @unchecked Sendable {  // handed from thread to thread under the channel's lock, freed by one of them
    /// An entry, whose closure and details have to be destroyed.
    let entry: Entry?

    /// What goes with it, which is seldom.
    private var rest: Parts?

    final class Parts {
        /// A chunk that was unlinked.
        var chunk: Chunk?
        /// A roster without entries.
        var roster: Roster?
        /// An index that was replaced.
        var table: SenderTable?
        /// Something of the host's that was replaced.
        var hosted: AnyObject?
        /// A list of watched entries that was replaced.
        var watchList: WatchList?
        /// A list of the entries that end with an owner or a sender that was replaced.
        var mortals: WatchList?
        /// What was found by owners in it. No post sees it, but it must not be released under the lock either.
        var mortalsByOwner: [UInt: [Mortal]] = [:]
        /// An entry that ended long ago.
        var ended: EndedEntry?
        /// The chunks of a channel that finishes.
        var hidden: HiddenChunks?
        /// The step to be made when no post sees what was taken out.
        var whenFreed: (@Sendable () -> Void)?

        deinit {
            chunk?.release()
            hidden?.release()
        }
    }

    init(entry: Entry? = nil) { self.entry = entry }

    var isEmpty: Bool { entry == nil && rest == nil }

    /// Whether there is an entry, and nothing goes with it.
    var isEntryAlone: Bool { entry != nil && rest == nil }

    /// Makes the step that waits until no post sees what was taken out.
    func performWhenFreed() { rest?.whenFreed?() }

    mutating func parts() -> Parts {
        if let rest { return rest }
        let parts = Parts()
        rest = parts
        return parts
    }
}

/// What was taken out of a channel while posts were in progress that may see it; used under the channel's lock.
///
/// Whatever waits for the same posts stands in one section, so that the end of a post costs one step for each section, and not
/// one for each thing that waits. A post that was in progress when one thing was taken out, and still is when the next one is,
/// may see both: the sets of posts grow from section to section. So there are no more sections than lanes, and sections whose
/// sets have become the same are neighbours.
struct Retired {
    private struct Section {
        /// The lanes of the posts that have to leave.
        var lanes: UInt64
        var removed: [Removed]
    }

    /// In the order in which they began.
    private var sections: [Section] = []

    var sectionCount: Int { sections.count }

    /// Keeps something until the posts in these lanes have left; an entry keeps its chunk meanwhile.
    mutating func append(_ removed: consuming Removed, lanes: UInt64) {
        removed.entry?.chunk.retain()
        if let last = sections.indices.last, sections[last].lanes == lanes {
            sections[last].removed.append(removed)
        } else {
            sections.append(Section(lanes: lanes, removed: [removed]))
        }
    }

    /// What waited for no other posts than those in these lanes, which have left.
    mutating func take(waitingFor lanes: UInt64) -> [Removed] {
        var free: [Removed] = []
        var kept: [Section] = []
        // Moved out from the end, as a section that is looked at where it stands would be copied when it changes.
        while var section = sections.popLast() {
            section.lanes &= ~lanes
            if section.lanes == 0 {
                free.absorb(&section.removed)
            } else if let last = kept.indices.last, kept[last].lanes == section.lanes {
                kept[last].removed.absorb(&section.removed)
            } else {
                kept.append(section)
            }
        }
        sections = kept.reversed()
        return free
    }
}

extension [Removed] {
    /// Takes over the elements of another array, in whatever order, and leaves that one with the smaller of the two. The larger
    /// one is kept, so a thing is moved no more often than the logarithm of their number.
    fileprivate mutating func absorb(_ other: inout [Removed]) {
        if other.count > count { swap(&self, &other) }
        append(contentsOf: other)
    }
}
