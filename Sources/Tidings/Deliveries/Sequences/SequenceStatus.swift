extension SequenceSource: ObserverQueue {
    @usableFromInline var status: QueueStatus {
        let (others, dropped) = state.withLock { ($0.others, $0.droppedCount) }
        let all = [first.mailbox.status] + others.map(\.mailbox.status)
        return QueueStatus(
            queued: all.map(\.queued).max() ?? 0, dropped: all.reduce(dropped) { $0 + $1.dropped }, isRunning: false)
    }
}
