import Tidings

struct ObserverProgress: Sendable {
    /// The number of calls that have begun. `since` is when `begun` or `call` last changed.
    private var begun = -1
    private var call: UInt?
    private var since = 0.0
    /// The time since which each inspection has found a queued notification.
    private var queuedSince: Double?
    /// Earlier inspections, oldest first, each with the number of notifications that had arrived by then. An entry is
    /// removed when that many notifications have left the queue.
    private var arrivals: [(time: Double, count: Int)] = []
    private static let mostArrivals = 64

    private var calls = Meter(), busy = Meter()
    private(set) var runningFor: Double?
    private(set) var stalledFor: Double?
    /// The approximate age of the oldest queued notification: see ``ObservationStatus/oldestWait``.
    private(set) var oldestWait: Double?

    /// The time for which the current call has been running, or nothing has been taken from the queue.
    var stuckFor: Double { max(runningFor ?? 0, stalledFor ?? 0) }

    var callsPerSecond: Double? { calls.rateOfCount }
    var busyShare: Double? { busy.rate.map { min(1, max(0, $0 / 1e9)) } }

    /// `isRetrying` is true if a queued notification waits for a retry. Later notifications may then wait for it.
    /// `measured` is the duration of all measured calls in seconds, and is only used for an observer without a queue.
    mutating func note(
        _ status: CallStatus, waiting: Int, isRetrying: Bool, isRunning: Bool, isQueued: Bool, measured: Double?,
        at time: Double
    ) {
        if status.begun != begun || status.call != call { (begun, call, since) = (status.begun, status.call, time) }
        let seen = time - since
        let turn = status.turnDuration?.inSeconds
        if !isRunning {
            runningFor = nil
        } else if let turn {
            runningFor = status.isOneCall ? turn : min(turn, seen)
        } else {
            runningFor = status.call == nil ? 0 : seen
        }
        let known = [status.scheduledDuration, status.oldestWait].compactMap { $0?.inSeconds }.max()
        noteArrivals(status.left + waiting, waiting, known, at: time)
        queuedSince = waiting > 0 ? queuedSince ?? time : nil
        stalledFor = nil
        if !isRunning, !isRetrying, let oldestWait, let queuedSince {
            // Nothing was taken from the queue since `since`, but the queue may have been empty for most of that time.
            let queued = max(oldestWait, time - queuedSince)
            stalledFor = max(status.scheduledDuration?.inSeconds ?? 0, min(seen, queued))
        }
        if isQueued {
            calls.note(status.called ?? status.left, at: time)
            busy.note(Int(status.busy.inSeconds * 1e9), at: time)
        } else if let measured {
            busy.note(Int(measured * 1e9), at: time)
        }
    }

    private mutating func noteArrivals(_ count: Int, _ waiting: Int, _ known: Double?, at time: Double) {
        arrivals.removeAll { $0.count <= count - waiting }
        guard waiting > 0 else {
            oldestWait = nil
            return
        }
        if arrivals.last.map({ $0.count < count }) ?? true { arrivals.append((time, count)) }
        // The first entry stays, because `oldestWait` is calculated from it.
        if arrivals.count > Self.mostArrivals {
            arrivals = arrivals.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        }
        oldestWait = max(arrivals.first.map { time - $0.time } ?? 0, known ?? 0)
    }
}
