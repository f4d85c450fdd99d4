import TidingsInspector

enum Ranking: String, Sendable, CaseIterable {
    case trouble
    case queue
    case drops
    case rate
    case busy

    /// The key by which the inspector sorts observers before it truncates the list. The inspector can't sort by the
    /// rate of posts, so for `rate`, the list contains the observers with the most waiting notifications.
    var sortOfObservers: String {
        switch self {
        case .trouble: "trouble"
        case .queue, .rate: "waiting"
        case .drops: "dropped"
        case .busy: "busy"
        }
    }

    func sort(_ types: [InspectorSnapshot.NotificationType]) -> [InspectorSnapshot.NotificationType] {
        types.sorted(byDescending: { type in
            switch self {
            case .queue, .trouble: [Double(type.waiting), type.postsPerSecond ?? 0]
            case .drops: [Double(type.drops), type.dropsPerSecond ?? 0]
            case .rate, .busy: [type.postsPerSecond ?? 0, Double(type.posts)]
            }
        })
    }

    func sort<Row: Ranked>(_ rows: [Row], rates: TypeRates) -> [Row] {
        rows.sorted(byDescending: { row in
            switch self {
            case .trouble: [row.trouble]
            case .queue: [Double(row.waiting), row.isGrowing ? row.growth ?? 0 : 0, row.waitingGrowth ?? 0]
            case .drops: [Double(row.dropped), row.droppedPerSecond ?? 0]
            case .rate: [rates[row] ?? 0, Double(row.waiting)]
            case .busy: [row.stuck > 0 ? row.runningFor ?? 1 : 0, row.busy ?? 0]
            }
        })
    }
}

struct TypeRates {
    private struct Key: Hashable {
        let center, type: String
    }

    private let rates: [Key: Double]

    init(_ snapshot: InspectorSnapshot) {
        let known = snapshot.types.compactMap { type in
            type.postsPerSecond.map { (Key(center: type.center, type: type.name), $0) }
        }
        // A recording can contain a type twice.
        rates = Dictionary(known, uniquingKeysWith: max)
    }

    subscript(row: some Ranked) -> Double? { rates[Key(center: row.center, type: row.type)] }
}

extension Array {
    fileprivate func sorted(byDescending values: (Element) -> [Double]) -> [Element] {
        map { (element: $0, values: values($0)) }
            .sorted { $1.values.lexicographicallyPrecedes($0.values) }
            .map(\.element)
    }
}
