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

        /// Makes a selection.
        ///
        /// - Parameters:
        ///   - limit: How many observers there are at most; not more than ``largestLimit``.
        ///   - key: What they are sorted by.
        ///   - isDescending: Whether the largest is first; `nil` for what fits: numbers descending, texts ascending.
        ///   - filter: A text that observers and types have in one of their texts.
        public init(limit: Int = 500, sortedBy key: Key = .waiting, isDescending: Bool? = nil, filter: String = "") {
            self.limit = max(0, min(limit, Self.largestLimit))
            self.key = key
            self.isDescending = isDescending ?? !key.isText
            self.filter = filter.lowercased()
        }

        /// Whether one of the texts has the filter in it.
        private func matches(_ texts: String?...) -> Bool {
            filter.isEmpty || texts.contains { $0?.lowercased().contains(filter) ?? false }
        }

        func matches(_ row: Snapshot.Observer) -> Bool {
            matches(row.type, row.place, row.owner, row.sender, row.center, row.delivery)
        }

        func matches(_ row: Snapshot.NotificationType) -> Bool { matches(row.name, row.center) }

        /// The rows that match, in order, as many as are wanted.
        ///
        /// - Parameters:
        ///   - rows: All rows.
        ///   - times: How many calls of an observer were measured, and how long calls and waits took in the mean.
        /// - Returns: The rows.
        func select(
            _ rows: [Ledger.ObserverRow],
            times: (Ledger.ObserverRow) -> (calls: Double, callTime: Double, waitTime: Double)
        ) -> [Ledger.ObserverRow] {
            let matching = filter.isEmpty ? rows : rows.filter { matches($0.row) }
            let sorted =
                key.isText
                ? sort(matching) { text(of: $0.row) }
                : sort(matching) { number(of: $0.row, times($0)) }
            return Array(sorted.prefix(limit))
        }

        private func sort<Value: Comparable>(
            _ rows: [Ledger.ObserverRow], by value: (Ledger.ObserverRow) -> Value
        ) -> [Ledger.ObserverRow] {
            // Sorting keeps the order of equals, so a row does not jump from one snapshot to the next.
            let valued = rows.map { (row: $0, value: value($0)) }
            return valued.sorted { isDescending ? $0.value > $1.value : $0.value < $1.value }.map(\.row)
        }

        private func text(of row: Snapshot.Observer) -> String {
            switch key {
            case .place: row.place
            case .center: row.center
            case .delivery: row.delivery
            case .owner: row.owner ?? ""
            case .sender: row.sender ?? ""
            default: row.type
            }
        }

        private func number(
            of row: Snapshot.Observer, _ times: (calls: Double, callTime: Double, waitTime: Double)
        ) -> Double {
            switch key {
            case .growth: row.growth ?? 0
            case .dropped: Double(row.dropped)
            case .calls: times.calls
            case .callTime: times.callTime
            case .waitTime: times.waitTime
            case .since: row.since ?? row.seen
            default: Double(row.waiting)
            }
        }
    }
}
