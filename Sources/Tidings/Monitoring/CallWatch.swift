/// Finds slow calls and stalled queues with a timer. The timer ends when nothing is running or queued, and the next
/// notification starts it again.
final class CallWatch: Sendable {
    private typealias Seen = (call: CallUnderWay, since: Duration, next: Duration, isTold: Bool)

    private struct State: ~Copyable, Sendable {
        var seen: [ObserverDescription.ID: Seen] = [:]
        var backlogs: LongQueues
        var trend = LoadTrend()
        var last = Moment.now
    }

    private let limit: Duration
    private let state: Lock<State>
    let timer = MonitorTimer()

    init(limit: Duration, waiting: Int?) {
        // `note` doubles the limit until it exceeds a duration, which never ends if the limit isn't positive.
        self.limit = max(limit, .nanoseconds(1))
        state = Lock(State(backlogs: LongQueues(limit: waiting)))
    }

    func begin(for monitor: AttachedMonitor) -> Bool {
        if timer.isRunning { return false }
        state.withLock { $0.last = Moment.now }
        return timer.begin(for: monitor) { [timer, interval, clock = monitor.clock] in
            while (try? await clock.sleep(for: interval)) != nil, timer.monitor?.lookAtCalls() == true {}
        }
    }

    var interval: Duration { max(limit / 4, .milliseconds(1)) }

    var last: Int64? { timer.isRunning ? state.withLock { $0.last } : nil }

    func end() {
        timer.end()
        state.withLock { $0.seen = [:] }
    }

    /// Records the calls, and returns the warnings about them. `isMeasured` is `true` if `now` comes from the clock
    /// that measures calls. Otherwise, the duration of a call counts from the check that first found the call.
    func note(_ calls: [CallUnderWay], at now: Duration, isMeasured: Bool) -> [ObserverWarning] {
        state.withLock { state in
            state.last = Moment.now
            var warnings: [ObserverWarning] = []
            var before = state.seen
            state.seen = [:]
            for call in calls {
                let known = before[call.observer.id]
                var seen: Seen
                if let known, known.call.isOneCall(with: call) {
                    seen = known
                    before[call.observer.id] = nil
                } else {
                    let since = now - (isMeasured ? call.knownDuration ?? .zero : .zero)
                    seen = (call: call, since: since, next: limit, isTold: false)
                }
                let duration = now - seen.since
                if duration >= seen.next {
                    seen.isTold = true
                    while duration >= seen.next { seen.next *= 2 }
                    warnings.append(call.warning(after: duration))
                }
                state.seen[call.observer.id] = seen
            }
            warnings += state.trend.note(calls, at: now, every: interval, isMeasured: isMeasured)
            warnings += state.backlogs.note(stored: calls)
            var recovered: [ObserverWarning] = []
            for seen in before.values where seen.isTold {
                recovered.append(.callRecovered(seen.call.observer, duration: now - seen.since))
            }
            return recovered + warnings
        }
    }
}

@usableFromInline
package final class CallUnderWay: Sendable {
    @export(implementation) package let observer: ObserverDescription
    package let isRunning: Bool
    @export(implementation) package let queued: Int
    @export(implementation) package let calls: CallStatus
    @export(implementation) package let isStored: Bool

    package init?(_ observer: ObserverDescription, _ status: QueueStatus) {
        if !status.isRunning, status.queued == 0 { return nil }
        self.observer = observer
        isRunning = status.isRunning
        queued = status.queued
        calls = status.calls
        isStored = status.isStored
    }

    fileprivate func isOneCall(with other: CallUnderWay) -> Bool {
        isRunning == other.isRunning && calls.begun == other.calls.begun && calls.call == other.calls.call
    }

    fileprivate var knownDuration: Duration? {
        isRunning ? (calls.isOneCall ? calls.turnDuration : nil) : calls.scheduledDuration
    }

    fileprivate func warning(after duration: Duration) -> ObserverWarning {
        isRunning
            ? .slowCall(observer, duration: duration, waiting: queued, last: calls.mark)
            : .stalledQueue(observer, duration: duration, waiting: queued)
    }
}
