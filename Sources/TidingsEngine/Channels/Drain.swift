/// The expensive half of an asymmetric fence: it executes a memory fence in every running thread of the process.
struct ProcessFence: Sendable {
    /// Returns `false` if the operating system can't execute the fence.
    let make: @Sendable () -> Bool

    /// Called if `make` has returned `false`. Returns when all earlier stores are visible to all processors.
    let outlastStoreBuffers: @Sendable () async -> Void

    static let system = ProcessFence(make: { CallFence.ofDrain() }, outlastStoreBuffers: sleep)

    /// Waits for a millisecond, far longer than a store buffer has been observed to hold a store. No architecture
    /// documents a bound, so this is an assumption.
    private static let sleep: @Sendable () async -> Void = {
        // In a separate task, because a cancelled task doesn't sleep.
        await Task.detached { try? await Task.sleep(for: .milliseconds(1)) }.value
    }
}

extension Channel {
    /// Returns when no call of a cancelled entry is running.
    ///
    /// A post announces each call with a releasing store to its lane, and then loads the live word of the entry's
    /// chunk. This is a hazard pointer without the fence, which would cost more than the call. (On systems that can't
    /// execute a fence in other threads, posts contain the fence; see ``CallFence``.) The processor may therefore load
    /// the word while the announcement is still in its store buffer. A drain stores its request to be notified into the
    /// live word, executes a fence in every processor that runs a post, and then loads the announcements. For every
    /// pair of a store and a load that a post makes, at least one of these holds:
    ///
    /// - If the post stored before the fence on its processor, the drain sees the announcement, or a later one.
    /// - If the post loads after that fence, it sees the cancellation and that a drain wants to be notified.
    ///
    /// A post that calls the entry loaded the word before the fence, so the drain sees the announcement and waits. If
    /// the drain sees the announcement of a call that has ended, the store that ended the call came after the fence.
    /// The load after that store sees the request, so the post notifies the drain.
    ///
    /// If the system can't execute the drain's fence, the drain waits far longer than a store buffer holds a store, so
    /// missing a call is unlikely, but possible. The drain can't wait forever, because it marks the lanes of the posts
    /// in progress, and a marked post notifies the drain when it leaves, at the latest.
    package final func drain(_ entry: Entry) async { await drain(entry, fence: .system) }

    final func drain(_ entry: Entry, fence: ProcessFence) async {
        // The request is stored before the lanes are read. Both are sequentially consistent, and so are a post's claim
        // of its lane and the loads that follow. So if no lane contains the channel, a post that claims one later sees
        // the request and doesn't call the entry.
        let isPosting = withState { state in
            state.drains.begin(entry)
            return hasPost
        }
        let isFenced = !isPosting || fence.make()
        if !isFenced { await fence.outlastStoreBuffers() }
        await withCheckedContinuation { continuation in
            let isCalling = withState { state in
                // The lanes are marked first. A post that can't be marked has left, so its last announcement is
                // visible.
                if !isFenced { _ = lanes.mark(name) }
                let isCalling = self.isCalling(entry, state)
                if isCalling { state.drains.wait(entry, continuation) } else { state.drains.end(entry) }
                return isCalling
            }
            if !isCalling { continuation.resume() }
        }
    }

    final func callEnded() {
        let ended = withState { $0.takeEndedDrains(in: self) }
        for continuation in ended { continuation.resume() }
    }

    /// Returns the live entries, and the entries of `pending` that are still to be called. A post calls this method if
    /// the live word of its current chunk has changed or contains the drain bit. The lowest bit of `pending` is the
    /// entry at `index`.
    @inline(never)
    final func lookAgain(_ chunk: Chunk, _ pending: UInt64, _ index: Int) -> (seen: UInt64, pending: UInt64) {
        if unsafe chunk.header.pointee.live.load(ordering: .relaxed) & Chunk.drainBit != 0 { callEnded() }
        // Loaded after the call of `callEnded`, which may have run code that cancelled entries.
        let live = unsafe chunk.header.pointee.live.load(ordering: .relaxed) & ~Chunk.drainBit
        return (live, pending & (live &>> UInt64(truncatingIfNeeded: index)))
    }

    package final func isCalling(_ entry: Entry) -> Bool {
        withState { isCalling(entry, $0) || $0.handOvers[entry.address] != nil }
    }

    final func isCalling(_ entry: Entry, _ state: borrowing ChannelState) -> Bool {
        state.calls(in: self)[entry.address] != nil
    }
}

extension ChannelState {
    mutating func takeEndedDrains(in channel: Channel) -> [CheckedContinuation<Void, Never>] {
        guard drains.isAnyWaiting else { return [] }
        return drains.takeEnded(except: calls(in: channel))
    }

    /// The entries that posts are calling, each with a value that identifies the post; 0 if the post has no lane.
    func calls(in channel: Channel) -> [UInt: UInt] {
        var calls = channel.lanes.numberedCalls(of: channel.name)
        for entry in callsWithoutLane where calls[entry.address] == nil { calls[entry.address] = 0 }
        return calls
    }
}

/// The requests to wait for the end of an entry's calls. Accessed under the channel's lock. While an entry of a chunk
/// has such a request, the chunk's ``Chunk/drainBit`` is set.
struct Drains {
    private var waiting: [(entry: Entry, continuation: CheckedContinuation<Void, Never>)] = []

    private var countsByChunk: [UInt: Int] = [:]

    var isAnyWaiting: Bool { !waiting.isEmpty }

    mutating func begin(_ entry: Entry) {
        countsByChunk[entry.chunk.start, default: 0] += 1
        entry.chunk.setDrained(true)
    }

    mutating func wait(_ entry: Entry, _ continuation: CheckedContinuation<Void, Never>) {
        waiting.append((entry, continuation))
    }

    mutating func end(_ entry: Entry) {
        let chunk = entry.chunk
        let count = countsByChunk[chunk.start, default: 0] - 1
        countsByChunk[chunk.start] = count > 0 ? count : nil
        // Only the chunk's last drain withdraws the request, so that posts find the request as long as a drain waits.
        if count == 0 { chunk.setDrained(false) }
    }

    mutating func takeEnded(except calls: [UInt: UInt]) -> [CheckedContinuation<Void, Never>] {
        let all = waiting
        waiting = []
        var ended: [CheckedContinuation<Void, Never>] = []
        for drain in all {
            if calls[drain.entry.address] != nil {
                waiting.append(drain)
            } else {
                end(drain.entry)
                ended.append(drain.continuation)
            }
        }
        return ended
    }
}
