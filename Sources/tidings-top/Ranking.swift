import TidingsInspector

enum Ranking: String, Sendable, CaseIterable {
    case trouble
    case queue
    case drops
    case rate
    case busy

    /// The order in which the inspector sorts observers before it truncates the list. The inspector has no rates of
    /// observers, so for `rate` the received observers are sorted here, by the rates of their types.
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

    func sort(_ observers: [InspectorSnapshot.Observer], rates: TypeRates) -> [InspectorSnapshot.Observer] {
        observers.sorted(byDescending: { observer in
            switch self {
            case .trouble: [observer.trouble]
            case .queue: [Double(observer.waiting), observer.growth ?? 0]
            case .drops: [Double(observer.dropped), observer.droppedPerSecond ?? 0]
            case .rate: [rates[observer] ?? 0, Double(observer.waiting)]
            case .busy: [observer.isStuck ? observer.runningFor ?? 1 : 0, observer.busy ?? 0]
            }
        })
    }

    func sort(_ groups: [InspectorSnapshot.Group], rates: TypeRates) -> [InspectorSnapshot.Group] {
        groups.sorted(byDescending: { group in
            switch self {
            case .trouble: [group.trouble]
            case .queue: [Double(group.waiting), group.isGrowing ? group.growth ?? 0 : 0, group.waitingGrowth ?? 0]
            case .drops: [Double(group.dropped)]
            case .rate: [rates[group] ?? 0, Double(group.waiting)]
            case .busy: [group.stuck > 0 ? group.runningFor ?? 1 : 0, group.busy ?? 0]
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

    subscript(observer: InspectorSnapshot.Observer) -> Double? {
        rates[Key(center: observer.center, type: observer.type)]
    }
    subscript(group: InspectorSnapshot.Group) -> Double? { rates[Key(center: group.center, type: group.type)] }
}

extension Array {
    /// Sorts by the first value, then by the next, largest first. The sort is stable, which `sorted` doesn't promise,
    /// so that equal rows don't change places with every snapshot.
    fileprivate func sorted(byDescending values: (Element) -> [Double]) -> [Element] {
        enumerated().map { (element: $0.element, index: $0.offset, values: values($0.element)) }
            .sorted { lhs, rhs in
                for (one, other) in zip(lhs.values, rhs.values) where one != other { return one > other }
                return lhs.index < rhs.index
            }
            .map(\.element)
    }
}
