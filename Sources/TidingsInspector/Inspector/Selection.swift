extension Inspector {
    /// Which observers a snapshot has, and in which order.
    public struct Selection: Hashable, Sendable {
        /// What observers are sorted by.
        public enum Key: String, Hashable, Sendable, CaseIterable {
            /// How many notifications wait.
            case waiting
            /// How fast that number grows.
            case growth
            /// How many notifications were dropped.
            case dropped
            /// How many calls were measured.
            case calls
            /// How long calls took in the mean.
            case callTime
            /// How long notifications waited in the mean.
            case waitTime
            /// The notification type.
            case type
            /// The place of the registration.
            case place
            /// The name of the center or the bus.
            case center
            /// The context in which it runs.
            case delivery
            /// The owner.
            case owner
            /// The sender.
            case sender
            /// When it was registered, or seen first.
            case since
            /// For how long a call is running.
            case runningFor
            /// For how long the oldest notification that waits has waited.
            case oldestWait
            /// What share of the time calls are running.
            case busy
            /// How many observers one line has registered.
            case count

            /// Whether it is a text.
            var isText: Bool {
                switch self {
                case .type, .place, .center, .delivery, .owner, .sender: true
                default: false
                }
            }
        }

        /// How many observers a snapshot can have.
        public static let largestLimit = 10_000

        /// How many observers there are at most.
        public var limit: Int

        /// What they are sorted by, before they are cut.
        public var key: Key

        /// Whether the largest is first.
        public var isDescending: Bool

        /// A text that observers and types have in one of their texts; case does not matter.
        public var filter: String

        /// The identities of posts that the reader has chosen, at most ``mostPosts``: of them it is looked for in any case who was not
        /// called.
        public var posts: [String]

        /// How many posts can be chosen.
        public static let mostPosts = 20

        /// Makes a selection.
        ///
        /// - Parameters:
        ///   - limit: How many observers there are at most; not more than ``largestLimit``.
        ///   - key: What they are sorted by.
        ///   - isDescending: Whether the largest is first; `nil` for what fits: numbers descending, texts ascending.
        ///   - filter: A text that observers and types have in one of their texts.
        ///   - posts: The identities of posts that the reader has chosen.
        public init(
            limit: Int = 500, sortedBy key: Key = .waiting, isDescending: Bool? = nil, filter: String = "",
            posts: [String] = []
        ) {
            self.limit = max(0, min(limit, Self.largestLimit))
            self.key = key
            self.isDescending = isDescending ?? !key.isText
            self.filter = filter.lowercased()
            self.posts = Array(posts.prefix(Self.mostPosts))
        }

        /// Whether one of the texts has the filter in it.
        private func matches(_ texts: String?...) -> Bool {
            filter.isEmpty || texts.contains { $0?.lowercased().contains(filter) ?? false }
        }

        func matches(_ row: some Ranked) -> Bool {
            matches(row.type, row.place, row.owner, row.sender, row.center, row.delivery)
        }

        func matches(_ row: InspectorSnapshot.NotificationType) -> Bool { matches(row.name, row.center) }

        /// What was measured of a row: how many calls, and how long calls and waits took in the mean.
        typealias Means = (calls: Double, callTime: Double, waitTime: Double)

        /// The rows that match, in order, as many as are wanted.
        ///
        /// - Parameters:
        ///   - elements: All of them.
        ///   - row: The row of one.
        ///   - means: What was measured of one.
        /// - Returns: Those that are left.
        func select<Element>(
            _ elements: [Element], row: (Element) -> some Ranked, means: (Element) -> Means
        ) -> [Element] {
            let matching = filter.isEmpty ? elements : elements.filter { matches(row($0)) }
            let sorted =
                key.isText
                ? sort(matching) { row($0).text(for: key) }
                : sort(matching) { row($0).number(for: key, means($0)) }
            return Array(sorted.prefix(limit))
        }

        private func sort<Element, Value: Comparable>(_ elements: [Element], by value: (Element) -> Value) -> [Element]
        {
            // Sorting keeps the order of equals, so a row does not jump from one snapshot to the next.
            let valued = elements.map { (element: $0, value: value($0)) }
            return valued.sorted { isDescending ? $0.value > $1.value : $0.value < $1.value }.map(\.element)
        }
    }
}

/// A row that is found and sorted: that of an observer, or of a group of them.
protocol Ranked {
    var type: String { get }
    var place: String { get }
    var center: String { get }
    var delivery: String { get }
    var owner: String? { get }
    var sender: String? { get }

    /// A number to sort by.
    func number(for key: Inspector.Selection.Key, _ means: Inspector.Selection.Means) -> Double
}

extension Ranked {
    /// A text to sort by.
    fileprivate func text(for key: Inspector.Selection.Key) -> String {
        switch key {
        case .place: place
        case .center: center
        case .delivery: delivery
        case .owner: owner ?? ""
        case .sender: sender ?? ""
        default: type
        }
    }
}

extension InspectorSnapshot.Observer: Ranked {
    func number(for key: Inspector.Selection.Key, _ means: Inspector.Selection.Means) -> Double {
        switch key {
        case .growth: growth ?? 0
        case .dropped: Double(dropped)
        case .calls: calls.map(Double.init) ?? means.calls
        case .callTime: means.callTime
        case .waitTime: means.waitTime
        case .since: since ?? seen
        case .runningFor: runningFor ?? 0
        case .oldestWait: oldestWait ?? 0
        case .busy: busy ?? 0
        case .count: 1
        default: Double(waiting)
        }
    }
}

extension InspectorSnapshot.Group: Ranked {
    func number(for key: Inspector.Selection.Key, _ means: Inspector.Selection.Means) -> Double {
        switch key {
        case .growth: waitingGrowth ?? 0
        case .dropped: Double(dropped)
        case .calls: means.calls
        case .callTime: means.callTime
        case .waitTime: means.waitTime
        case .since: since ?? seen
        case .runningFor: runningFor ?? 0
        case .oldestWait: oldestWait ?? 0
        case .busy: busy ?? 0
        case .count: Double(count)
        default: Double(waiting)
        }
    }
}
