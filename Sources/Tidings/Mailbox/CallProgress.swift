import TidingsEngine

/// When the calls of an observer began, as far as it can be known without a clock being read for each: what says since when a call is
/// running, also to somebody who looks for the first time.
///
/// Times are those of a coarse clock, which is read as a turn begins and ends. Calls of an observer that may be suspended share a turn
/// only as long as they are quick, see ``Pace``: so a call that lasts is about as old as its turn.
@usableFromInline
struct CallProgress: Sendable {
    /// When elements began to wait, with no turn under way.
    @export(implementation) var scheduledAt: Int64 = 0

    /// When the turn began that is under way, and how many elements had left the queue before.
    @export(implementation) var turnBegan: Int64 = 0
    @usableFromInline var leftBefore = 0

    /// How long turns took that have ended, in nanoseconds.
    @export(implementation) var busy: Int64 = 0

    @export(implementation) init() {}

    /// This moment.
    @usableFromInline static var now: Int64 { Moment.coarse }
}

extension MailboxState {
    /// How far the calls have come.
    ///
    /// - Parameter inHand: How many elements a turn has taken out and not handled yet.
    /// - Returns: The status.
    @usableFromInline
    func callStatus(inHand: Int) -> CallStatus {
        var status = CallStatus()
        let now = CallProgress.now
        status.left = addedCount - queue.count - inHand - retryingCount
        status.busy = .nanoseconds(progress.busy)
        if status.left < addedCount {
            status.oldestWait = .nanoseconds(max(0, now - arrivals.time(of: status.left + 1)))
        }
        if isRunning {
            let duration = Duration.nanoseconds(max(0, now - progress.turnBegan))
            status.turnDuration = duration
            status.isOneCall = status.left <= progress.leftBefore + 1 || call?.canWait == true
            status.busy += duration
        } else if isScheduled, !queue.isEmpty, retries?.isPaused != true {
            status.scheduledDuration = .nanoseconds(max(0, now - progress.scheduledAt))
        }
        return status
    }
}
