import TidingsEngine

/// Records how long the observer has been busy. A *turn* is a series of calls. A coarse clock is read at the beginning
/// and the end of a turn, not for each call. Calls that can be suspended share a turn only while they are quick (see
/// ``Pace``), so a long call is about as old as its turn.
@usableFromInline
struct CallProgress: Sendable {
    @export(implementation) var scheduledAt: Int64 = 0

    @export(implementation) var turnBegan: Int64 = 0

    /// The number of elements that all turns have taken out and not given back. An element that is retried is counted
    /// each time. `takenBefore` is the number when the current turn began.
    @export(implementation) var taken = 0
    @export(implementation) var takenBefore = 0

    /// The number of elements that the policy has dropped from the queue since an element was last taken out.
    @export(implementation) var droppedSinceTaken = 0

    @export(implementation) var busy: Int64 = 0

    @export(implementation) init() {}

    @usableFromInline static var now: Int64 { Moment.coarse }
}

extension MailboxState {
    /// A lower bound for the number of elements that were added before the oldest unhandled element.
    @usableFromInline var leftCount: Int {
        let left = addedCount - queue.count - lengths.taken - retryingCount
        guard let retries else { return left }
        return min(left, (retries.oldestNumber ?? .max) - 1, (retries.called?.number ?? .max) - 1)
    }

    @usableFromInline
    func callStatus(inHand: Int) -> CallStatus {
        var status = CallStatus()
        let now = CallProgress.now
        status.left = addedCount - queue.count - inHand - retryingCount
        status.begun = progress.taken - inHand
        // Only a queue with a limit drops elements, and it hands out single elements.
        status.lastNumber = retries?.called?.number ?? addedCount - queue.count - inHand - progress.droppedSinceTaken
        // The observer has already been called with each element that waits for a retry.
        status.called = max(0, status.left + retryingCount - droppedUncalledCount)
        status.busy = .nanoseconds(progress.busy)
        if status.left < addedCount {
            let oldest = min(status.left + 1, retries?.oldestNumber ?? .max)
            status.oldestWait = .nanoseconds(max(0, now - arrivals.time(of: oldest)))
        }
        if isRunning {
            let duration = Duration.nanoseconds(max(0, now - progress.turnBegan))
            status.turnDuration = duration
            status.isOneCall = status.begun <= progress.takenBefore + 1 || call?.canWait == true
            status.busy += duration
            status.mark = call?.lastMark
        } else if isScheduled, !queue.isEmpty, retries?.isPaused != true {
            status.scheduledDuration = .nanoseconds(max(0, now - progress.scheduledAt))
        }
        return status
    }
}
