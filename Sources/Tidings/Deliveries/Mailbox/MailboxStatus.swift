extension Mailbox: ObserverQueue {
    @usableFromInline
    package var status: QueueStatus {
        state.withLock { state in
            QueueStatus(
                queued: state.backlog.count + inHand.count, dropped: state.backlog.droppedCount,
                isRunning: state.isRunning)
        }
    }
}
