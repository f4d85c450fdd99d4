/// The expensive half of an asymmetric fence: it puts a memory fence into every running thread of the process, so that those
/// threads need none of their own.
struct ProcessFence: Sendable {
    /// Makes the fence.
    ///
    /// - Returns: Whether the operating system could.
    let make: @Sendable () -> Bool

    /// Returns when the stores that any processor made before are seen by all, for where there is no fence.
    let outlastStoreBuffers: @Sendable () async -> Void

    static let system = ProcessFence(make: { CallFence.ofDrain() }, outlastStoreBuffers: sleep)

    /// Waits for a thousand times as long as a store buffer has been seen to hold a store, which is some microseconds. No
    /// architecture states a bound; this is an assumption.
    private static let sleep: @Sendable () async -> Void = {
        // In a task of its own, as a cancelled task does not sleep.
        await Task.detached { try? await Task.sleep(for: .milliseconds(1)) }.value
    }
}

extension Channel {
    /// Returns when no call of an entry, which was cancelled, is running.
    ///
    /// A post announces each call with a plain store to its lane, and then loads the live word of the entry's chunk: a hazard
    /// pointer without the fence, which would cost more than the call. So the processor may load the word while the announcement
    /// still waits in its store buffer. A drain stores its wish to be told into the live word, and then loads the
    /// announcements. The fence between these two steps is one for both sides, as it makes every processor that runs a post
    /// fence, too. Whatever pair of a store and a load a post makes, one of these holds:
    ///
    /// - It stored before its fence: the drain sees the announcement, or a later one.
    /// - It loads after its fence: the post sees that the entry was cancelled and that a drain wants to be told.
    ///
    /// If a post calls the entry, it loaded the word before its fence, so the drain sees the announcement and waits. If the
    /// drain sees the announcement of a call that has ended, then the store that ended it came after the fence, and the load
    /// behind that store sees the wish: the post tells.
    ///
    /// Where the system has no such fence, the drain waits for far longer than a store buffer does, which makes it unlikely that
    /// a call is overlooked, but not impossible. It cannot wait for ever: it marks the lanes of the posts in progress, and
    /// a marked post tells when it leaves, at the latest.
    package final func drain(_ entry: Entry) async { await drain(entry, fence: .system) }

    final func drain(_ entry: Entry, fence: ProcessFence) async {
        // The wish is stored before the lanes are looked at, both sequentially consistent, as are a post's claim of its lane and
        // the loads behind it. So if no lane names the channel, a post that claims one later sees the wish, and there is no call.
        let (number, isPosting) = withState { state in
            (state.drains.begin(entry), lanes.hasPost(to: name))
        }
        let isFenced = !isPosting || fence.make()
        if !isFenced { await fence.outlastStoreBuffers() }
        await withCheckedContinuation { continuation in
            let isCalling = withState { state in
                // Before the look: a post that could not be marked has left, and its last announcement is seen.
                if !isFenced { _ = lanes.mark(name) }
                let isCalling = self.isCalling(entry, state)
                if isCalling { state.drains.wait(number, continuation) } else { state.drains.end(number) }
                return isCalling
            }
            if !isCalling { continuation.resume() }
        }
    }

    /// Resumes the drains that wait for a call that has ended.
    final func callEnded() {
        let ended = withState { $0.takeEndedDrains(in: self) }
        for continuation in ended { continuation.resume() }
    }

    /// What a post does that finds the word of a chunk changed: it tells the drains that wait for the end of a call, and then
    /// forgets the entries that were cancelled before their turn.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - pending: The entries that are to be called, from the one at `index` on.
    ///   - index: The entry that is to be called next.
    /// - Returns: The live entries, and which of those are to be called.
    @inline(never)
    final func lookAgain(_ chunk: Chunk, _ pending: UInt64, _ index: Int) -> (seen: UInt64, pending: UInt64) {
        if unsafe chunk.header.pointee.live.load(ordering: .relaxed) & Chunk.drainBit != 0 { callEnded() }
        // Looked at afterwards: what that has freed, or resumed, may have cancelled entries.
        let live = unsafe chunk.header.pointee.live.load(ordering: .relaxed) & ~Chunk.drainBit
        return (live, pending & (live &>> UInt64(truncatingIfNeeded: index)))
    }

    /// Whether a post is calling an entry, or a hand-over is under way to it.
    package final func isCalling(_ entry: Entry) -> Bool {
        withState { isCalling(entry, $0) || $0.handOvers.contains(entry.address) }
    }

    /// Whether a post has announced that it calls an entry.
    final func isCalling(_ entry: Entry, _ state: borrowing ChannelState) -> Bool {
        state.calls(in: self).contains(entry.address)
    }
}

extension ChannelState {
    /// Ends the drains whose wait is over.
    mutating func takeEndedDrains(in channel: Channel) -> [CheckedContinuation<Void, Never>] {
        if drains.isEmpty { return [] }
        return drains.takeEnded(except: calls(in: channel))
    }

    /// The addresses of the entries that posts have announced to call.
    func calls(in channel: Channel) -> Set<UInt> {
        Set(channel.lanes.calls(of: channel.name) + callsWithoutLane.map(\.address))
    }
}

/// The drains that have begun in a channel, and those of them that wait; used under the channel's lock.
///
/// As long as there is a drain of one of its entries, a chunk asks posts to tell when a call has ended.
struct Drains {
    private struct Drain {
        let entry: Entry
        var continuation: CheckedContinuation<Void, Never>?
    }

    private var drains: [Int: Drain] = [:]
    private var lastNumber = 0

    /// How many drains there are of the entries of a chunk, by the chunk's address.
    private var countsByChunk: [UInt: Int] = [:]

    var isEmpty: Bool { drains.isEmpty }

    /// Whether a drain waits to be told.
    var areWaiting: Bool { drains.values.contains { $0.continuation != nil } }

    /// Asks posts to tell, before the drain waits.
    ///
    /// - Returns: The number of the drain.
    mutating func begin(_ entry: Entry) -> Int {
        lastNumber += 1
        drains[lastNumber] = Drain(entry: entry)
        countsByChunk[entry.chunk.start, default: 0] += 1
        entry.chunk.setDrained(true)
        return lastNumber
    }

    /// Has a drain wait until a post tells.
    mutating func wait(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
        drains[number]?.continuation = continuation
    }

    /// Ends a drain that need not wait.
    mutating func end(_ number: Int) {
        guard let chunk = drains.removeValue(forKey: number)?.entry.chunk else { return }
        let count = countsByChunk[chunk.start, default: 0] - 1
        countsByChunk[chunk.start] = count > 0 ? count : nil
        // The last drain of the chunk takes the request back, never an earlier one: not even for a moment may a post find none
        // while another drain waits.
        if count == 0 { chunk.setDrained(false) }
    }

    /// Ends the drains that wait, except those of entries that are being called.
    mutating func takeEnded(except calls: Set<UInt>) -> [CheckedContinuation<Void, Never>] {
        let ended = drains.filter { $0.value.continuation != nil && !calls.contains($0.value.entry.address) }
        for number in ended.keys { end(number) }
        return ended.values.compactMap(\.continuation)
    }
}
