/// Looks from time to time at what is under way, and finds what takes too long: a call, or notifications that wait while none is made.
///
/// There is one timer for all calls of which a monitor is warned, and none while nothing is under way: the timer ends when it finds
/// nothing, and the next notification that begins to wait, or is posted, starts it anew. So no call pays for it.
final class CallWatch: Sendable {
    private struct Seen: Sendable {
        let observer: ObserverDescription
        let isRunning: Bool
        let left: Int
        let call: UInt?
        let since: Duration
        /// When it is told the next time.
        var next: Duration
        var isTold = false
    }

    private struct State: Sendable {
        var seen: [ObserverDescription.ID: Seen] = [:]
        var backlogs = StoredBacklogs()
        /// The timer, and the monitor that it warns, as long as there is one. (A weak reference would make each use of the monitor dearer.)
        var timer: Task<Void, Never>?
        var monitor: AttachedMonitor?
        var hasEnded = false
    }

    private let limit: Duration
    private let waiting: Int?
    private let state = Lock(State())

    /// Whether there is a timer. It changes under the lock.
    private let isLooking = AtomicByte(false)

    /// - Parameters:
    ///   - limit: How long a call, or a wait, may take.
    ///   - waiting: How many may wait that are stored; `nil` for any number.
    init(limit: Duration, waiting: Int?) {
        self.limit = limit
        self.waiting = waiting
    }

    /// Starts the timer, unless there is one.
    ///
    /// - Parameter monitor: The monitor that is to be warned.
    func begin(for monitor: AttachedMonitor) {
        if isLooking.load(ordering: .sequentiallyConsistent) { return }
        let interval = max(limit / 4, .milliseconds(1))
        state.withLock { state in
            if state.hasEnded || isLooking.load(ordering: .sequentiallyConsistent) { return }
            isLooking.store(true, ordering: .sequentiallyConsistent)
            let sleep = monitor.sleep
            state.monitor = monitor
            state.timer = Task.detached { [self] in
                while (try? await sleep(interval)) != nil, watchedMonitor?.lookAtCalls() == true {}
            }
        }
    }

    private var watchedMonitor: AttachedMonitor? { state.withLock { $0.monitor } }

    /// Ends the timer for good.
    func end() {
        let (timer, monitor) = state.withLock { state in
            state.hasEnded = true
            state.seen = [:]
            return (state.timer.take(), state.monitor.take())
        }
        timer?.cancel()
        // Released with no lock held.
        _ = monitor
    }

    /// Notes that nothing is under way.
    func rest() { state.withLock { _ in isLooking.store(false, ordering: .sequentiallyConsistent) } }

    /// Has the timer that called ``rest()`` go on.
    ///
    /// - Returns: Whether it does; false if another one was started meanwhile, or the watch has ended.
    func goOn() -> Bool {
        state.withLock { state in
            if state.hasEnded || isLooking.load(ordering: .sequentiallyConsistent) { return false }
            isLooking.store(true, ordering: .sequentiallyConsistent)
            return true
        }
    }

    /// Notes what is under way.
    ///
    /// - Parameters:
    ///   - calls: What is under way.
    ///   - now: The time, by the monitor's clock.
    ///   - isMeasured: Whether that is the clock by which calls know since when they run. By another clock they run since they were
    ///     seen first.
    /// - Returns: The warnings that this gives rise to.
    func note(_ calls: [CallUnderWay], at now: Duration, isMeasured: Bool) -> [ObserverWarning] {
        state.withLock { state in
            if state.hasEnded { return [] }
            var warnings: [ObserverWarning] = []
            var before = state.seen
            state.seen = [:]
            for call in calls {
                let known = before[call.observer.id]
                var seen: Seen
                if let known, call.isSame(known.isRunning, known.left, known.call) {
                    seen = known
                    before[call.observer.id] = nil
                } else {
                    seen = Seen(
                        observer: call.observer, isRunning: call.isRunning, left: call.calls.left,
                        call: call.calls.call,
                        since: now - (isMeasured ? call.knownDuration ?? .zero : .zero), next: limit)
                }
                let duration = now - seen.since
                if duration >= seen.next {
                    seen.isTold = true
                    while duration >= seen.next { seen.next *= 2 }
                    warnings.append(call.warning(after: duration))
                }
                state.seen[call.observer.id] = seen
            }
            if let waiting { warnings += state.backlogs.note(calls, limit: waiting) }
            // What is left has ended: it was told first, so its end is, too.
            return before.values.filter(\.isTold).map { .callRecovered($0.observer, duration: now - $0.since) }
                + warnings
        }
    }
}

/// An observer of which a call is running, or for which notifications wait.
@usableFromInline
package struct CallUnderWay: Sendable {
    @export(implementation) package let observer: ObserverDescription
    let isRunning: Bool
    @export(implementation) package let queued: Int
    @export(implementation) package let calls: CallStatus

    /// Whether those that wait are stored outside the process.
    @export(implementation) package let isStored: Bool

    /// - Returns: `nil` if nothing is under way.
    @usableFromInline
    package init?(
        _ observer: ObserverDescription, isRunning: Bool, queued: Int, _ calls: CallStatus, isStored: Bool = false
    ) {
        if !isRunning, queued == 0 { return nil }
        self.observer = observer
        self.isRunning = isRunning
        self.queued = queued
        self.calls = calls
        self.isStored = isStored
    }

    /// For how long the call is running, or none was made; `nil` if that has to be seen.
    fileprivate var knownDuration: Duration? {
        isRunning ? (calls.isOneCall ? calls.turnDuration : nil) : calls.scheduledDuration
    }

    /// Whether it is the same call that was seen before, or the same wait.
    fileprivate func isSame(_ isRunning: Bool, _ left: Int, _ call: UInt?) -> Bool {
        isRunning == self.isRunning && left == calls.left && call == calls.call
    }

    fileprivate func warning(after duration: Duration) -> ObserverWarning {
        isRunning
            ? .slowCall(observer, duration: duration, waiting: queued)
            : .stalledQueue(observer, duration: duration, waiting: queued)
    }
}
