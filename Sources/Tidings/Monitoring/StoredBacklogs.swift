/// The observers whose backlog in a table was reported as too long. Each check counts them, because no event does.
struct StoredBacklogs: Sendable {
    private struct Backlog {
        let observer: ObserverDescription
        var told: Int
        var most: Int
    }

    private var long: [ObserverDescription.ID: Backlog] = [:]

    /// Returns warnings about backlogs that are too long, or twice as long as at the last warning, and about reported
    /// backlogs that have shrunk to half of the limit or have ended.
    mutating func note(_ calls: [CallUnderWay], limit: Int) -> [ObserverWarning] {
        var warnings: [ObserverWarning] = []
        var before = long
        long = [:]
        for call in calls where call.isStored {
            var known = before[call.observer.id]
            if call.queued > limit, known.map({ call.queued >= 2 * $0.told }) ?? true {
                warnings.append(.longQueue(call.observer, waiting: call.queued))
                known = Backlog(observer: call.observer, told: call.queued, most: call.queued)
            }
            guard var known, call.queued > limit / 2 else { continue }
            known.most = max(known.most, call.queued)
            long[call.observer.id] = known
            before[call.observer.id] = nil
        }
        return before.values.map { .queueRecovered($0.observer, most: $0.most) } + warnings
    }
}
