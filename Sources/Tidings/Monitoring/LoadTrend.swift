struct LoadTrend: ~Copyable, Sendable {
    /// `start` is the length of the queue, and the time, when its uninterrupted growth began.
    private typealias Growth = (waiting: Int, start: (waiting: Int, time: Duration), steps: Int, isTold: Bool)

    private typealias Totals = [ObserverDescription.ID: Duration]

    private typealias Busy = (totals: Totals, time: Duration, since: Duration?, shares: Totals, isTold: Bool)

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
            let new: Growth = (waiting: 0, start: (waiting: call.queued, time: now), steps: 0, isTold: false)
            var known = before[call.observer.id] ?? new
            if call.queued > known.waiting { known.steps += 1 } else { known = new }
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
        var totals: Totals = [:]
        for call in ofMainActor { totals[call.observer.id] = call.calls.busy }
        guard var known = busy, !totals.isEmpty else {
            let first: Busy = (totals: totals, time: now, since: nil, shares: [:], isTold: false)
            busy = totals.isEmpty ? nil : first
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
