/// The observers of which too much waits in a table, as it was told. No event tells of what is stored, so it is counted at each look.
struct StoredBacklogs: Sendable {
    private struct Backlog {
        let observer: ObserverDescription
        /// How many waited when it was warned about the last time.
        var told: Int
        /// The most that waited.
        var most: Int
    }

    private var long: [ObserverDescription.ID: Backlog] = [:]

    /// Notes what is under way.
    ///
    /// - Parameters:
    ///   - calls: What is under way.
    ///   - limit: How many may wait.
    /// - Returns: The warnings that this gives rise to: of a backlog that is too long, or twice as long as when it was told, and of one that
    ///   is down to half of what is allowed, or over.
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
