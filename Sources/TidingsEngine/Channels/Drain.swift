extension Channel {
    /// Returns when no call of an entry, which was cancelled, is running.
    ///
    /// A post announces each call in its lane before it looks at the entry's chunk, both without a fence, as a fence would
    /// cost more than the call. So for the time that a processor takes to write to memory, an announcement may not be seen
    /// here, or the wish to be told of its end not there. Therefore a suspension lies between the wish and the look.
    final func drain(_ entry: Entry) async {
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
    @usableFromInline
    final func callEnded() {
        let ended = withState { $0.takeEndedDrains(in: self) }
        for continuation in ended { continuation.resume() }
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
