import Tidings

/// The complete result of one inspection, before rows are omitted.
struct Picture: Sendable {
    /// The time of the inspection, by the inspector's clock.
    var time = -Double.infinity
    var totals = InspectorSnapshot.Totals(
        posts: 0, deliveries: 0, drops: 0, types: 0, observers: 0, waiting: 0, running: 0)
    var types: [(key: TypeKey, row: InspectorSnapshot.NotificationType)] = []
    var observers: [ObserverRow] = []
    var groups: [GroupBook.Known] = []
    var owners: [InspectorSnapshot.OwnerType] = []
    var stuck: [InspectorSnapshot.Observer] = []
    var buses: [InspectorSnapshot.Bus] = []
    var relays: [InspectorSnapshot.Relay]?
    var ended: [InspectorSnapshot.EndedObserver] = []
    var warnings: [InspectorSnapshot.Warning] = []
}

/// An observer at one inspection.
struct ObserverRow: Sendable {
    let id: ObserverDescription.ID
    let row: InspectorSnapshot.Observer
    /// The number of its group.
    let group: Int
    /// The type as posts report it, and the number of notifications that have left the queue.
    let key: TypeKey
    let left: Int
}

/// The state of an observer, with the number of notifications that have left its queue.
struct ObserverStanding {
    let row: InspectorSnapshot.Observer
    let left: Int
}
