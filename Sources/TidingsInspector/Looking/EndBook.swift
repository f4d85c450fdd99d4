import Tidings

struct EndBook: Sendable {
    private static let most = 100

    private let start: Double
    private(set) var ended: [InspectorSnapshot.EndedObserver] = []
    private var noted: Set<ObserverDescription.ID> = []

    /// - Parameter start: The time at which the inspector was created, in seconds since 1970.
    init(start: Double) { self.start = start }

    func hasNoted(_ observer: ObserverDescription.ID) -> Bool { noted.contains(observer) }

    mutating func note(
        _ observer: ObserverDescription.ID, _ reason: String, _ row: InspectorSnapshot.Observer, at time: Double
    ) {
        noted.insert(observer)
        // An earlier inspection may have recorded this end without a reason.
        if let index = ended.firstIndex(where: { $0.id == row.id }) {
            ended[index].reason = reason
        } else {
            add(row, reason, at: time)
        }
    }

    mutating func note(vanished id: ObserverDescription.ID, _ row: InspectorSnapshot.Observer, at time: Double) {
        if !noted.contains(id) { add(row, nil, at: time) }
    }

    mutating func forget(allBut reported: () -> [ObserverDescription.ID]) {
        if noted.count > 20_000 { noted = Set(reported()) }
    }

    private mutating func add(_ row: InspectorSnapshot.Observer, _ reason: String?, at time: Double) {
        if ended.count >= Self.most { ended.removeFirst() }
        ended.append(
            InspectorSnapshot.EndedObserver(
                id: row.id, center: row.center, type: row.type, place: row.place, delivery: row.delivery,
                sender: row.sender, reason: reason, time: start + time))
    }
}
