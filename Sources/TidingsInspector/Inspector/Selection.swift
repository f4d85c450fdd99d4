extension Inspector {
    /// The observers in a snapshot, and their order.
    public struct Selection: Hashable, Sendable {
        /// The keys by which observers can be sorted.
        @nonexhaustive
        public enum Key: String, Hashable, Sendable, CaseIterable {
            /// The number of queued notifications.
            case waiting
            /// The growth of the number of queued notifications.
            case growth
            /// The number of dropped notifications.
            case dropped
            /// The number of measured calls.
            case calls
            /// The mean duration of calls.
            case callTime
            /// The mean time that notifications waited.
            case waitTime
            /// The notification type.
            case type
            /// The place of the registration.
            case place
            /// The name of the center or the bus.
            case center
            /// The context in which the observer runs.
            case delivery
            /// The owner.
            case owner
            /// The sender.
            case sender
            /// The time of the registration, or of the first inspection of the observer.
            case since
            /// The age of the running call.
            case runningFor
            /// The age of the oldest queued notification.
            case oldestWait
            /// The share of time during which calls are running.
            case busy
            /// The number of observers that one line has registered.
            case count
            /// The severity of problems: stuck observers first, then leaks, queues of more than 1,000 notifications,
            /// failures, drops, observers that were never called, and busy observers. All others are sorted by the
            /// length of their queue.
            case trouble

            var isText: Bool {
                switch self {
                case .type, .place, .center, .delivery, .owner, .sender: true
                default: false
                }
            }
        }

        /// The largest value of ``limit``.
        public static let largestLimit = 10_000

        /// The maximum number of observers, and the maximum number of groups. A negative limit counts as zero.
        public var limit: Int

        /// The key by which the observers are sorted before the limit applies.
        public var key: Key

        /// Whether the order is descending.
        public var isDescending: Bool

        /// A text that must occur in the type, place, owner, sender, center or delivery of an observer, or in
        /// the name or center of a type. The search ignores case.
        public var filter: String

        /// The identities of at most ``mostPosts`` posts. For each of them, the snapshot lists the observers that the
        /// post didn't call.
        public var posts: [String]

        /// The maximum number of ``posts``.
        public static let mostPosts = 20

        /// Creates a selection.
        ///
        /// - Parameters:
        ///   - limit: The maximum number of observers and of groups, up to ``largestLimit``.
        ///   - key: The key by which the observers are sorted.
        ///   - isDescending: Whether the order is descending; `nil` for descending numbers and ascending texts.
        ///   - filter: A text that must occur in the description of an observer or a type; see ``filter``.
        ///   - posts: The identities of posts; see ``posts``.
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

        package func matches(_ texts: String?...) -> Bool {
            if filter.isEmpty { return true }
            let filter = filter.lowercased()
            return texts.contains { $0?.lowercased().contains(filter) ?? false }
        }

        package func matches(_ row: some Ranked) -> Bool {
            matches(row.type, row.place, row.owner, row.sender, row.center, row.delivery)
        }

        package func matches(_ row: InspectorSnapshot.NotificationType) -> Bool { matches(row.name, row.center) }

        typealias Means = (calls: Double, callTime: Double, waitTime: Double)

        func select<Element>(
            _ elements: [Element], row: (Element) -> some Ranked, means: (Element) -> Means?
        ) -> [Element] {
            let matching = filter.isEmpty ? elements : elements.filter { matches(row($0)) }
            let sorted =
                key.isText
                ? sort(matching) { row($0).text(for: key) }
                : sort(matching) { row($0).number(for: key, means($0) ?? (0, 0, 0)) }
            return Array(sorted.prefix(max(0, min(limit, Self.largestLimit))))
        }

        private func sort<Element, Value: Comparable>(_ elements: [Element], by value: (Element) -> Value) -> [Element]
        {
            // In practice `sorted` is stable, so rows with equal values don't change places between snapshots.
            let valued = elements.map { (element: $0, value: value($0)) }
            return valued.sorted { isDescending ? $0.value > $1.value : $0.value < $1.value }.map(\.element)
        }
    }
}

extension Ranked {
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

    fileprivate func number(for key: Inspector.Selection.Key, _ means: Inspector.Selection.Means) -> Double {
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
