/// The observers that are tied to an owner and haven't caused a warning about the owner's age, oldest first. Each
/// operation must take amortized constant time, because other events wait for the lock that protects this value.
struct OwnedObservers: Sendable {
    typealias Owned = (observer: ObserverDescription, owner: ObserverOwner, since: Duration)

    private var known: [ObserverDescription.ID: Owned] = [:]

    /// The identities in the order of addition. Removed ones stay until they come first or fill half of the array.
    private var order: [ObserverDescription.ID] = []
    private var firstIndex = 0

    var isEmpty: Bool { known.isEmpty }

    var first: Owned? { firstIndex < order.count ? known[order[firstIndex]] : nil }

    /// Adds an observer, unless it is known. A monitor that is attached during a registration may add it twice.
    mutating func append(_ owned: Owned) {
        if known[owned.observer.id] != nil { return }
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

    mutating func removeFirst(while condition: (Owned) -> Bool) -> [Owned] {
        var removed: [Owned] = []
        while let first, condition(first) {
            removed.append(first)
            remove(first.observer.id)
        }
        return removed
    }
}
