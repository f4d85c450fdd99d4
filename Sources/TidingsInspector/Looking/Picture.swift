import Tidings

/// The complete result of one inspection, before rows are omitted.
struct Picture: Sendable {
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

struct ObserverRow: Sendable {
    let id: ObserverDescription.ID
    let row: InspectorSnapshot.Observer
    let group: Int
    let key: TypeKey
}
