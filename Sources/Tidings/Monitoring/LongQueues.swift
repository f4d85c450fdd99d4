struct LongQueues: ~Copyable, Sendable {
    private let limit: Int
    private var long: [ObserverDescription.ID: (observer: ObserverDescription, told: Int, most: Int)] = [:]

    init(limit: Int?) { self.limit = limit ?? .max }

    var isEmpty: Bool { long.isEmpty }

    mutating func note(_ observer: ObserverDescription, waiting: Int) -> [ObserverWarning] {
        if waiting <= limit { return [] }
        if let known = long[observer.id], waiting < 2 * known.told {
            long[observer.id] = (known.observer, told: known.told, most: max(known.most, waiting))
            return []
        }
        long[observer.id] = (observer, told: waiting, most: waiting)
        return [.longQueue(observer, waiting: waiting)]
    }

    mutating func recover(_ id: ObserverDescription.ID, waiting: Int, most: Int = 0) -> [ObserverWarning] {
        guard waiting <= limit / 2, let queue = long.removeValue(forKey: id) else { return [] }
        return [.queueRecovered(queue.observer, most: max(queue.most, most))]
    }

    mutating func remove(_ id: ObserverDescription.ID) { long[id] = nil }

    /// Checks the lengths of the queues that are stored in database tables, because no event reports them.
    mutating func note(stored calls: [CallUnderWay]) -> [ObserverWarning] {
        let stored = calls.filter(\.isStored)
        var gone = long
        for call in stored { gone[call.observer.id] = nil }
        var warnings: [ObserverWarning] = []
        for id in gone.keys { warnings += recover(id, waiting: 0) }
        for call in stored {
            warnings += recover(call.observer.id, waiting: call.queued)
            warnings += note(call.observer, waiting: call.queued)
        }
        return warnings
    }
}
