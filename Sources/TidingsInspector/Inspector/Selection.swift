extension Inspector {
    /// Which observers a snapshot has, and in which order.
    public struct Selection: Hashable, Sendable {
        /// What observers are sorted by.
        @nonexhaustive
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
            /// How much is wrong: what is stuck first, then what leaks, was never called, fails, drops, or is busy, then the length of the queue.
            case trouble

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
        case .trouble: trouble
        default: Double(waiting)
        }
    }
}

extension InspectorSnapshot.Group: Ranked {
    func number(for key: Inspector.Selection.Key, _ means: Inspector.Selection.Means) -> Double {
        switch key {
        case .growth: waitingGrowth ?? 0
        case .dropped: Double(dropped)
        case .calls: calls.map(Double.init) ?? means.calls
        case .callTime: means.callTime
        case .waitTime: means.waitTime
        case .since: since ?? seen
        case .runningFor: runningFor ?? 0
        case .oldestWait: oldestWait ?? 0
        case .busy: busy ?? 0
        case .count: Double(count)
        case .trouble: trouble
        default: Double(waiting)
        }
    }
}

/// How much is wrong with observers, as a number to sort by: each step is larger than all that follow it.
private func rank(
    stuckFor stuck: Double?, grows: Bool, neverCalled: Bool, failed: Int, dropped: Int, busy: Double, waiting: Int
) -> Double {
    if let stuck { return 1e12 + stuck }
    if grows { return 9e11 }
    if waiting > 1000 { return 8.5e11 + Double(waiting) }
    if failed > 0 { return 8e11 + Double(failed) }
    if dropped > 0 { return 7e11 + Double(dropped) }
    if neverCalled { return 6e11 }
    if busy >= 0.8 { return 5e11 + busy }
    return Double(waiting) + busy
}

extension InspectorSnapshot.Observer {
    /// How much is wrong with it.
    package var trouble: Double {
        rank(
            stuckFor: isStuck ? runningFor ?? oldestWait ?? 0 : nil, grows: false, neverCalled: isNeverCalled == true,
            failed: (failed ?? 0) + (retrying ?? 0), dropped: intendsDrops == true ? 0 : dropped, busy: busy ?? 0,
            waiting: waiting)
    }
}

extension InspectorSnapshot.Group {
    /// How much is wrong with them.
    package var trouble: Double {
        rank(
            stuckFor: stuck > 0 ? runningFor ?? oldestWait ?? 0 : nil, grows: isGrowing,
            neverCalled: neverCalled ?? 0 > 0, failed: (failed ?? 0) + (retrying ?? 0),
            dropped: intendsDrops == true ? 0 : dropped, busy: busy ?? 0, waiting: waiting)
    }
}
