public import Synchronization

extension Mailbox: ObserverQueue {
    @usableFromInline
    package var status: QueueStatus {
        state.withLock { state in
            QueueStatus(
                queued: state.backlog.count + inHand.load(ordering: .relaxed), dropped: state.backlog.droppedCount,
                isRunning: state.isRunning)
        }
    }

    /// Notes how many elements of a batch are still to be handled.
    ///
    /// A turn takes all there is and handles it without a lock, so this is what tells others how many wait.
    @inlinable
    func note(_ batch: Batch<Queued<Element>>) {
        inHand.store(batch.count, ordering: .relaxed)
    }
}
