import Tidings

/// How the calls of one observer go on from one look to the next: since when one is running, how old what waits is, and what share of
/// the time the observer is busy.
struct ObserverProgress: Sendable {
    /// When so many notifications had left the queue for the first time, or the call in the post was seen first.
    private var left = -1
    private var call: UInt?
    private var since = 0.0

    /// How many notifications had arrived in all at some of the looks, the earliest first: those of which some still wait.
    private var arrivals: [(time: Double, count: Int)] = []
    private static let mostArrivals = 64

    private var calls = Meter(), busy = Meter()

    /// For how long a call is running, and for how long nothing was taken though something waits; `nil` if that is not so.
    private(set) var runningFor: Double?
    private(set) var stalledFor: Double?

    /// For how long the oldest notification that waits has waited, at least.
    private(set) var oldestWait: Double?

    /// Whether a call runs, or nothing is taken, for as long.
    func isStuck(after seconds: Double) -> Bool { max(runningFor ?? 0, stalledFor ?? 0) >= seconds }

    var callsPerSecond: Double? { calls.rate.map { max(0, $0) } }
    var busyShare: Double? { busy.rate.map { min(1, max(0, $0 / 1e9)) } }

    /// Notes how an observer stands.
    ///
    /// - Parameters:
    ///   - status: How far its calls have come.
    ///   - waiting: How many notifications wait.
    ///   - isRetrying: Whether one of them waits to be handed to the observer again, which the others may wait for.
    ///   - isRunning: Whether a call is running.
    ///   - isQueued: Whether it has a queue.
    ///   - measured: How long its calls took in all, by what was measured, if it has no queue.
    ///   - time: When, by the inspector's clock.
    mutating func note(
        _ status: CallStatus, waiting: Int, isRetrying: Bool, isRunning: Bool, isQueued: Bool, measured: Double?,
        at time: Double
    ) {
        if status.left != left || status.call != call {
            (left, call, since) = (status.left, status.call, time)
        }
        let seen = time - since
        let turn = status.turnDuration?.inSeconds
        if !isRunning {
            runningFor = nil
        } else if let turn {
            runningFor = status.isOneCall ? turn : min(turn, seen)
        } else {
            runningFor = status.call == nil ? 0 : seen
        }
        stalledFor =
            waiting > 0 && !isRunning && !isRetrying ? max(status.scheduledDuration?.inSeconds ?? 0, seen) : nil
        let known = [status.scheduledDuration, status.oldestWait].compactMap { $0?.inSeconds }.max()
        noteArrivals(status.left + waiting, waiting, known, at: time)
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
        // Every other one is forgotten, and not the first: what is said is at least true.
        if arrivals.count > Self.mostArrivals {
            arrivals = arrivals.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        }
        oldestWait = max(arrivals.first.map { time - $0.time } ?? 0, known ?? 0)
    }
}
