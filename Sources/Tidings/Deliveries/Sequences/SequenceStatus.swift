extension SequenceSource: ObserverQueue {
    @usableFromInline var status: QueueStatus {
        let (others, dropped) = state.withLock { ($0.others, $0.droppedCount) }
        let all = [first.mailbox.status] + others.map(\.mailbox.status)
        return QueueStatus(
            queued: all.map(\.queued).max() ?? 0, dropped: all.reduce(dropped) { $0 + $1.dropped }, isRunning: false)
    }

    @usableFromInline
    func follow(_ watcher: QueueWatcher) {
        let (others, previous) = state.withLock { state in
            let previous = state.watcher
            state.watcher = watcher
            return (state.others, previous)
        }
        for line in [first] + others { line.mailbox.follow(watcher) }
        _ = previous
    }
}
