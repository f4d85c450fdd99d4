import Tidings

extension RecordingNotificationCenter {
    /// Returns when every asynchronous observer has finished with what was posted, and with what observers posted in turn.
    ///
    /// What a test knows then, it knows for sure: no time has to pass. What is held at the ``gate`` is not waited for;
    /// neither are the consumers of sequences, nor tasks that the code under test has started itself: await those first. Do
    /// not call this from an observer, which would wait for itself.
    ///
    /// If the task is cancelled, this returns at once.
    public func drain() async { await deliveries.drain() }
}

extension Deliveries {
    /// Returns when nothing is unfinished, or the task is cancelled.
    ///
    /// - Returns: What is unfinished, as the task was cancelled.
    @discardableResult
    func drain() async -> [QueuedDelivery] {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasFinished = state.withLock { state in
                    let hasFinished = state.unfinished.isEmpty || Task.isCancelled
                    if !hasFinished { state.waiting[id] = continuation }
                    return hasFinished
                }
                if hasFinished { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        return state.withLock { Array($0.unfinished.values) }.sorted { $0.id < $1.id }
    }
}
