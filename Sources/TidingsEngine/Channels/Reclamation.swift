/// Frees memory that was removed from a channel, such as the closure of a cancelled observer: at once if no post can
/// see the memory, otherwise when the last post that may see it leaves; see ``Lanes``. This is deferred reclamation, in
/// which a post has the role of RCU's read-side critical section.
extension Channel {
    @inline(__always)
    final func withState<Result>(_ step: (inout sending ChannelState) -> sending Result) -> Result {
        let result = changing.state.withLock(step)
        Lock<ChannelState>.fence()
        if changing.hasDepartures.load(ordering: .sequentiallyConsistent) { freeDeparted() }
        return result
    }

    final func retire(_ removed: consuming Removed) {
        if removed.isEmpty { return }
        if lanes.haveLeft(name) { return free(removed) }
        let retired = removed
        free(withState { state in state.retire(retired, from: self) })
    }

    /// Must be called while no lock is held, because this runs the `deinit` of objects that a closure captured.
    @inline(__always)
    private final func free(_ removed: consuming Removed) {
        if let entry = removed.entry { entry.chunk.destroy(entry.index) }
        removed.performWhenFreed()
    }

    final func leaveMarked(_ lane: Lane) {
        lane.depart(name)
        changing.hasDepartures.store(true, ordering: .sequentiallyConsistent)
        Lock<ChannelState>.fence()
        freeDeparted()
    }

    /// Frees removed memory after the posts that could see it have left their lanes. If another thread holds the lock,
    /// this thread doesn't wait. The other thread frees the memory after it unlocks.
    ///
    /// A post stores the flag `hasDepartures` before it tries to lock. A holder of the lock loads the flag after it
    /// unlocks, in `withState` or in the next round of this loop. The operations of the lock, or ``Lock/fence()``, keep
    /// both orders for all threads. So if a post finds the lock held, the holder finds the flag set.
    private final func freeDeparted() {
        while changing.hasDepartures.load(ordering: .sequentiallyConsistent) {
            let taken = changing.state.withLockIfAvailable { state in
                changing.hasDepartures.store(false, ordering: .sequentiallyConsistent)
                let departed = lanes.departed(from: name)
                let freed = state.retired.take(waitingFor: departed)
                lanes.clear(departed)
                // A drain may have marked a departed post, and be waiting for that post to leave.
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

struct Removed: @unchecked Sendable {  // passed from thread to thread under the channel's lock, freed by one of them
    let entry: Entry?

    /// Everything else that was removed. Rarely needed, so it is allocated on demand.
    private var rest: Parts?

    final class Parts {
        var chunk: Chunk?
        var roster: Roster?
        var table: SenderTable?
        var hosted: AnyObject?
        var watchList: WatchList?
        var mortals: WatchList?
        /// The index of `mortals` by owner. It is kept here because it mustn't be released under the lock.
        var mortalsByOwner: [UInt: [KeptEntry]] = [:]
        var ended: EndedEntry?
        var hidden: HiddenChunks?
        var whenFreed: (@Sendable () -> Void)?

        deinit {
            chunk?.release()
            hidden?.release()
        }
    }

    init(entry: Entry? = nil) { self.entry = entry }

    var isEmpty: Bool { entry == nil && rest == nil }

    var isEntryAlone: Bool { entry != nil && rest == nil }

    func performWhenFreed() { rest?.whenFreed?() }

    mutating func parts() -> Parts {
        if let rest { return rest }
        let parts = Parts()
        rest = parts
        return parts
    }
}

/// Memory that was removed while posts that may see it were in progress; accessed under the channel's lock.
///
/// Everything that waits for the same posts is in one section, so the end of a post costs one step per section. Removed
/// memory waits for all posts in progress. So each section waits for all posts that the previous section still waits
/// for, and possibly for later posts. There are at most as many sections as lanes, and sections that wait for the same
/// posts are adjacent.
struct Retired {
    typealias Section = (lanes: UInt64, removed: [Removed])

    private(set) var sections: [Section] = []

    /// Adds memory that waits for the posts in `lanes`. Retains the chunk of a removed entry, until the entry is freed.
    mutating func append(_ removed: consuming Removed, lanes: UInt64) {
        removed.entry?.chunk.retain()
        if let last = sections.indices.last, sections[last].lanes == lanes {
            sections[last].removed.append(removed)
        } else {
            sections.append((lanes, [removed]))
        }
    }

    mutating func take(waitingFor lanes: UInt64) -> [Removed] {
        var free: [Removed] = []
        var kept: [Section] = []
        // Sections are popped, because changing a copy of a section would copy its array.
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
    /// Appends another array, in any order, and keeps the larger buffer, so each of n items moves at most log n times.
    fileprivate mutating func absorb(_ other: inout [Removed]) {
        if other.count > count { swap(&self, &other) }
        append(contentsOf: other)
    }
}
