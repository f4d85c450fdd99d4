struct LoadTrend: Sendable {
    private struct Growth: Sendable {
        var waiting: Int
        /// The length of the queue, and the time, when its uninterrupted growth began.
        var start: (waiting: Int, time: Duration)
        var steps = 0
        var isTold = false
    }

    private struct Busy: Sendable {
        var totals: [ObserverDescription.ID: Duration]
        var time: Duration
        var since: Duration?
        var shares: [ObserverDescription.ID: Duration] = [:]
        var isTold = false
    }

    /// A queue causes a warning if it grows at more than `steps` consecutive checks, by at least `growth` in total.
    private static let fewest = (steps: 5, growth: 10)

    /// The main actor causes a warning if calls keep it busy for `share` of the time during `intervals` intervals.
    private static let fullMainActor = (share: 0.9, intervals: 4)

    private var growing: [ObserverDescription.ID: Growth] = [:]
    private var busy: Busy?

    mutating func note(
        _ calls: [CallUnderWay], at now: Duration, every interval: Duration, isMeasured: Bool
    ) -> [ObserverWarning] {
        let growing = noteQueues(calls, at: now)
        return isMeasured ? growing + noteMainActor(calls, at: now, every: interval) : growing
    }

    private mutating func noteQueues(_ calls: [CallUnderWay], at now: Duration) -> [ObserverWarning] {
        var warnings: [ObserverWarning] = []
        let before = growing
        growing = [:]
        for call in calls where call.queued > 0 && !call.isStored {
            let start = (waiting: call.queued, time: now)
            var known = before[call.observer.id] ?? Growth(waiting: 0, start: start)
            if call.queued > known.waiting { known.steps += 1 } else { known = Growth(waiting: 0, start: start) }
            known.waiting = call.queued
            let growth = call.queued - known.start.waiting
            if known.steps > Self.fewest.steps, growth >= Self.fewest.growth, !known.isTold {
                known.isTold = true
                warnings.append(
                    .growingQueue(call.observer, by: growth, in: now - known.start.time, waiting: call.queued))
            }
            growing[call.observer.id] = known
        }
        return warnings
    }

    private mutating func noteMainActor(
        _ calls: [CallUnderWay], at now: Duration, every interval: Duration
    ) -> [ObserverWarning] {
        let ofMainActor = calls.filter { $0.observer.delivery == .mainActor }
        var totals: [ObserverDescription.ID: Duration] = [:]
        for call in ofMainActor { totals[call.observer.id] = call.calls.busy }
        guard var known = busy, !totals.isEmpty else {
            busy = totals.isEmpty ? nil : Busy(totals: totals, time: now)
            return []
        }
        var shares = known.shares
        var sum = Duration.zero
        for (id, total) in totals {
            guard let before = known.totals[id] else { continue }
            shares[id] = (shares[id] ?? .zero) + (total - before)
            sum += total - before
        }
        let isBusy = now > known.time && sum / (now - known.time) >= Self.fullMainActor.share
        known.since = isBusy ? known.since ?? known.time : nil
        known.shares = isBusy ? shares : [:]
        known.isTold = isBusy && known.isTold
        (known.totals, known.time) = (totals, now)
        defer { busy = known }
        guard let since = known.since, !known.isTold, now - since >= interval * Self.fullMainActor.intervals,
            let busiest = ofMainActor.max(by: {
                known.shares[$0.observer.id] ?? .zero < known.shares[$1.observer.id] ?? .zero
            })
        else { return [] }
        known.isTold = true
        let share = (known.shares[busiest.observer.id] ?? .zero) / (now - since)
        return [.busyMainActor(busiest.observer, share: min(1, share), duration: now - since)]
    }
}
