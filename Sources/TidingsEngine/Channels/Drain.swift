import Synchronization

extension Channel {
    /// Returns when no call of an entry, which was cancelled, is running.
    ///
    /// A post announces each call in its lane before it looks at the entry's chunk, both without a fence, as a fence would
    /// cost more than the call. So for the time that a processor takes to write to memory, an announcement may not be seen
    /// here, or the wish to be told of its end not there. Therefore a suspension lies between the wish and the look.
    package final func drain(_ entry: Entry) async {
        let number = withState { $0.drains.begin(entry) }
        await Task.yield()
        await withCheckedContinuation { continuation in
            let isCalling = withState { state in
                let isCalling = self.isCalling(entry, state)
                if isCalling { state.drains.wait(number, continuation) } else { state.drains.end(number) }
                return isCalling
            }
            if !isCalling { continuation.resume() }
        }
    }

    /// Wakes those who wait for a call that has ended.
    final func callEnded() {
        let ended = withState { $0.takeEndedDrains(in: self) }
        for continuation in ended { continuation.resume() }
    }

    /// What a post does that finds the word of a chunk changed: it tells who waits for the end of a call, and then forgets the
    /// entries that were cancelled before their turn.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - pending: The entries that are to be called, from the one at `index` on.
    ///   - index: The entry that is to be called next.
    /// - Returns: The live entries, and which of those are to be called.
    @inline(never)
    final func lookAgain(_ chunk: Chunk, _ pending: UInt64, _ index: Int) -> (seen: UInt64, pending: UInt64) {
        if unsafe chunk.header.pointee.live.load(ordering: .relaxed) & Chunk.isDrained != 0 { callEnded() }
        // Looked at afterwards: what that has freed, or resumed, may have cancelled entries.
        let live = unsafe chunk.header.pointee.live.load(ordering: .relaxed) & ~Chunk.isDrained
        return (live, pending & (live &>> UInt64(truncatingIfNeeded: index)))
    }

    /// Whether a post is calling an entry, as far as can be seen.
    final func isCalling(_ entry: Entry, _ state: borrowing ChannelState) -> Bool {
        lanes.isCalling(entry.address, of: name) || state.callsWithoutLane.contains(entry)
    }
}

extension ChannelState {
    /// Ends the drains whose wait is over.
    mutating func takeEndedDrains(in channel: Channel) -> [CheckedContinuation<Void, Never>] {
        let calls = callsWithoutLane
        return drains.takeEnded { entry in
            channel.lanes.isCalling(entry.address, of: channel.name) || calls.contains(entry)
        }
    }
}
