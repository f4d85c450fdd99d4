extension Channel {
    /// Returns when no call of an entry, which was cancelled, is running.
    ///
    /// A post announces each call in its lane before it looks whether the entry is live, both without a fence, as a fence
    /// would cost more than the call. So an announcement can be late, by the time a processor takes to write to memory.
    /// It is therefore looked for twice, with a suspension between.
    final func drain(_ entry: Entry) async {
        while true {
            // Marked before the second look, so that a call found then finds the mark when it ends.
            _ = Lanes.shared.mark(name, with: Lanes.drainMark)
            await Task.yield()
            let isDone = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let isCalling = state.withLock { state in
                    let isCalling =
                        Lanes.shared.isCalling(entry.address, of: name) || state.callsWithoutLane.contains(entry)
                    if isCalling { state.addDrain(continuation) }
                    return isCalling
                }
                if !isCalling { continuation.resume(returning: true) }
            }
            if isDone { return }
        }
    }
}
