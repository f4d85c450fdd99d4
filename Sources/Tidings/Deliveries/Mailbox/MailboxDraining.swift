extension Mailbox {
    /// Returns when no call of the observer is running that was running when this was called.
    ///
    /// Called from inside that call, or from a task that inherits from it, this returns at once; and so it does if the wait
    /// would close a cycle, as that call waits for the caller.
    @usableFromInline
    package func drain() async {
        let caller = CallContext.current?.call
        guard let running = state.withLock({ $0.call }), running !== caller else { return }
        let node = WaitGraph.Node.mailbox(ObjectIdentifier(self))
        if let caller, !WaitGraph.update({ $0.beginDrain(caller, of: node) }) { return }
        await waitForEnd(of: running)
        if let caller { WaitGraph.update { $0.endWait(caller, for: node) } }
    }

    /// Returns when a call has ended, which it may have done a moment ago.
    func waitForEnd(of running: Call) async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.call === running { state.waiting.append(continuation) }
                return state.call !== running
            }
            if hasEnded { continuation.resume() }
        }
    }
}
