import TidingsInspector

/// What comes first.
enum Ranking: String, Sendable, CaseIterable {
    /// What waits.
    case queue
    /// What was dropped.
    case drops
    /// What is posted most.
    case rate

    /// By what the inspector sorts the observers before it cuts their list. It has no rate of an observer: those of the types are
    /// looked up here, in as many observers as it sends.
    var sortOfObservers: String {
        switch self {
        case .queue, .rate: "waiting"
        case .drops: "dropped"
        }
    }

    /// The types with the first of them first; those that are alike stay in their order.
    func sort(_ types: [Snapshot.NotificationType]) -> [Snapshot.NotificationType] {
        types.sorted(byDescending: { type in
            switch self {
            case .queue: [Double(type.waiting), type.postsPerSecond ?? 0]
            case .drops: [Double(type.drops), type.dropsPerSecond ?? 0]
            case .rate: [type.postsPerSecond ?? 0, Double(type.posts)]
            }
        })
    }

    /// The observers with the first of them first; those that are alike stay in their order.
    ///
    /// - Parameters:
    ///   - observers: The observers.
    ///   - rates: How often each type is posted in a second.
    /// - Returns: The observers in their order.
    func sort(_ observers: [Snapshot.Observer], rates: TypeRates) -> [Snapshot.Observer] {
        observers.sorted(byDescending: { observer in
            switch self {
            case .queue: [Double(observer.waiting), observer.growth ?? 0]
            case .drops: [Double(observer.dropped), observer.droppedPerSecond ?? 0]
            case .rate: [rates[observer] ?? 0, Double(observer.waiting)]
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

    init(_ snapshot: Snapshot) {
        let known = snapshot.types.compactMap { type in
            type.postsPerSecond.map { (Key(center: type.center, type: type.name), $0) }
        }
        // A file may have a type twice.
        rates = Dictionary(known, uniquingKeysWith: max)
    }

    /// How often the type of an observer is posted; `nil` if that is not known.
    subscript(observer: Snapshot.Observer) -> Double? { rates[Key(center: observer.center, type: observer.type)] }
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
