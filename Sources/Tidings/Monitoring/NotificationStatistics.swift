/// The numbers of posts, deliveries, drops and failures of each notification type since the center was created. Events
/// that occur on other threads while the value is created may be included in only some of the numbers.
public struct NotificationStatistics: Sendable {
    /// The numbers of one notification type.
    public struct Row: Sendable, Hashable {
        /// The notification type or, for notifications that are observed by name, the name.
        @export(implementation) public let subject: NotificationSubject

        /// The number of posts while the type had an observer in the center, including posts that reached none of its
        /// observers. A post of a type without observers isn't counted.
        @export(implementation) public let posts: Int

        /// The number of times that an observer was called, or a notification was queued for it.
        @export(implementation) public let deliveries: Int

        /// The number of notifications dropped by buffering policies. If a sequence observes several types, its drops
        /// are counted for the first type.
        @export(implementation) public let drops: Int

        /// The number of errors that asynchronous observers threw, without errors that were followed by a retry.
        @export(implementation) public let failures: Int

        @export(implementation)
        init(subject: NotificationSubject, posts: Int, deliveries: Int, drops: Int, failures: Int) {
            self.subject = subject
            self.posts = posts
            self.deliveries = deliveries
            self.drops = drops
            self.failures = failures
        }

        fileprivate var cells: [String] {
            [subject.name, "\(posts)", "\(deliveries)", "\(drops)", "\(failures)"]
        }

        @export(implementation)
        static func + (lhs: Row, rhs: Row) -> Row {
            Row(
                subject: lhs.subject, posts: lhs.posts + rhs.posts, deliveries: lhs.deliveries + rhs.deliveries,
                drops: lhs.drops + rhs.drops, failures: lhs.failures + rhs.failures)
        }
    }

    /// The numbers of each notification type that was ever observed in the center, sorted by name. A type that was only
    /// posted is included if it is replayed, or if a monitor received the post.
    @export(implementation) public let rows: [Row]

    @export(implementation)
    init(_ rows: [Row]) {
        self.rows = rows.map { ($0.subject.name, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The numbers of a notification type.
    ///
    /// - Parameter type: The type.
    /// - Returns: The numbers; `nil` if ``rows`` doesn't include the type.
    @export(implementation)
    public subscript(type: Any.Type) -> Row? {
        let subject = NotificationSubject(type)
        return rows.first { $0.subject == subject }
    }

    /// The numbers as a table with aligned columns, for printing.
    public var table: String {
        let titles = ["notification", "posts", "deliveries", "drops", "failures"]
        return ([titles] + rows.map(\.cells)).alignedTable
    }
}

extension NotificationStatistics: CustomStringConvertible {
    /// The table.
    public var description: String { table }
}

@usableFromInline
package struct StatisticsSum: Sendable {
    @usableFromInline var rows: [NotificationSubject: NotificationStatistics.Row]

    @export(implementation)
    package init() { rows = [:] }

    @export(implementation)
    package mutating func add(_ statistics: NotificationStatistics, upTo capacity: Int = .max) {
        for row in statistics.rows {
            if let known = rows[row.subject] {
                rows[row.subject] = known + row
            } else if rows.count < capacity {
                rows[row.subject] = row
            }
        }
    }

    @export(implementation)
    package var statistics: NotificationStatistics { NotificationStatistics(Array(rows.values)) }
}

@usableFromInline
package final class DropCounter: Sendable {
    @usableFromInline let number = Atomic(0)

    package init() {}

    private let failures = Atomic(0)

    package var count: Int { number.load(ordering: .relaxed) }

    package var failureCount: Int { failures.load(ordering: .relaxed) }

    @export(implementation)
    package func add() { number.wrappingAdd(1, ordering: .relaxed) }

    func addFailure() { failures.wrappingAdd(1, ordering: .relaxed) }
}
