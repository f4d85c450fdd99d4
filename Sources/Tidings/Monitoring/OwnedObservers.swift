/// The observers that are tied to an owner and were not warned about, the oldest first.
///
/// Each step takes a constant time on average: they are decided under the lock of a monitor's warnings, which events take.
struct OwnedObservers: Sendable {
    struct Owned: Sendable {
        let observer: ObserverDescription
        let owner: ObserverOwner
        let since: Duration
    }

    private var known: [ObserverDescription.ID: Owned] = [:]

    /// In the order in which they were added. Those that are no longer known stay until they are the first, or until they are half of all.
    private var order: [ObserverDescription.ID] = []
    private var firstIndex = 0

    var isEmpty: Bool { known.isEmpty }

    /// The oldest.
    var first: Owned? { firstIndex < order.count ? known[order[firstIndex]] : nil }

    mutating func append(_ owned: Owned) {
        known[owned.observer.id] = owned
        order.append(owned.observer.id)
    }

    mutating func remove(_ observer: ObserverDescription.ID) {
        if known.removeValue(forKey: observer) == nil { return }
        while firstIndex < order.count, known[order[firstIndex]] == nil { firstIndex += 1 }
        if order.count > 2 * known.count {
            order = order[firstIndex...].filter { known[$0] != nil }
            firstIndex = 0
        }
    }

    /// Takes out the oldest, as long as a condition holds.
    mutating func removeFirst(while condition: (Owned) -> Bool) -> [Owned] {
        var removed: [Owned] = []
        while let first, condition(first) {
            removed.append(first)
            remove(first.observer.id)
        }
        return removed
    }
}
