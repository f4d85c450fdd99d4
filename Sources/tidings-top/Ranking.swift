import TidingsInspector

/// What comes first.
enum Ranking: String, Sendable, CaseIterable {
    /// What is wrong.
    case trouble
    /// What waits.
    case queue
    /// What was dropped.
    case drops
    /// What is posted most.
    case rate
    /// What is busy, or stuck.
    case busy

    /// By what the inspector sorts the observers before it cuts their list. It has no rate of an observer: those of the types are
    /// looked up here, in as many observers as it sends.
    var sortOfObservers: String {
        switch self {
        case .trouble: "trouble"
        case .queue, .rate: "waiting"
        case .drops: "dropped"
        case .busy: "busy"
        }
    }

    /// The types with the first of them first; those that are alike stay in their order.
    func sort(_ types: [InspectorSnapshot.NotificationType]) -> [InspectorSnapshot.NotificationType] {
        types.sorted(byDescending: { type in
            switch self {
            case .queue, .trouble: [Double(type.waiting), type.postsPerSecond ?? 0]
            case .drops: [Double(type.drops), type.dropsPerSecond ?? 0]
            case .rate, .busy: [type.postsPerSecond ?? 0, Double(type.posts)]
            }
        })
    }

    /// The observers with the first of them first; those that are alike stay in their order.
    ///
    /// - Parameters:
    ///   - observers: The observers.
    ///   - rates: How often each type is posted in a second.
    /// - Returns: The observers in their order.
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

    /// The groups of observers with the first of them first; those that are alike stay in their order.
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

/// How often each type of a snapshot is posted in a second.
struct TypeRates {
    private struct Key: Hashable {
        let center, type: String
    }

    private let rates: [Key: Double]

    init(_ snapshot: InspectorSnapshot) {
        let known = snapshot.types.compactMap { type in
            type.postsPerSecond.map { (Key(center: type.center, type: type.name), $0) }
        }
        // A file may have a type twice.
        rates = Dictionary(known, uniquingKeysWith: max)
    }

    /// How often the type of an observer is posted; `nil` if that is not known.
    subscript(observer: InspectorSnapshot.Observer) -> Double? {
        rates[Key(center: observer.center, type: observer.type)]
    }
    subscript(group: InspectorSnapshot.Group) -> Double? { rates[Key(center: group.center, type: group.type)] }
}

extension Array {
    /// The elements with the largest values first: by the first value, then by the second. `sorted` alone promises no order of
    /// equal elements, and rows that change places without a reason cannot be read.
    fileprivate func sorted(byDescending values: (Element) -> [Double]) -> [Element] {
        enumerated().map { (element: $0.element, index: $0.offset, values: values($0.element)) }
            .sorted { lhs, rhs in
                for (one, other) in zip(lhs.values, rhs.values) where one != other { return one > other }
                return lhs.index < rhs.index
            }
            .map(\.element)
    }
}
