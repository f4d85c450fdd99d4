/// How many notifications of each type were posted in a center, delivered to observers, dropped, and given up after an error, since the
/// center was made.
///
/// It is a value: what happens later does not change it. What another thread does while it is made may be counted in part.
public struct NotificationStatistics: Sendable {
    /// The numbers of one notification type.
    public struct Row: Sendable, Hashable {
        /// The notification type, or the name.
        @export(implementation) public let subject: NotificationSubject

        /// How many posts there were while the type had an observer in the center, also of those that reached none of them. A
        /// post of a type without observers is not counted, as it costs next to nothing.
        @export(implementation) public let posts: Int

        /// How many times an observer was called, or had the notification put into its queue.
        @export(implementation) public let deliveries: Int

        /// How many notifications the buffering policies of asynchronous observers have dropped. What a sequence of several types
        /// drops counts with the first of them.
        @export(implementation) public let drops: Int

        /// How many times an asynchronous observer threw an error and was not called with the notification again.
        @export(implementation) public let failures: Int

        @export(implementation)
        init(subject: NotificationSubject, posts: Int, deliveries: Int, drops: Int, failures: Int) {
            self.subject = subject
            self.posts = posts
            self.deliveries = deliveries
            self.drops = drops
            self.failures = failures
        }

        @export(implementation)
        static func + (lhs: Row, rhs: Row) -> Row {
            Row(
                subject: lhs.subject, posts: lhs.posts + rhs.posts, deliveries: lhs.deliveries + rhs.deliveries,
                drops: lhs.drops + rhs.drops, failures: lhs.failures + rhs.failures)
        }
    }

    /// The numbers of each notification type that was ever observed in the center, in the order of their names.
    @export(implementation) public let rows: [Row]

    @export(implementation)
    init(_ rows: [Row]) {
        self.rows = rows.map { ($0.subject.name, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The numbers of a notification type.
    ///
    /// - Parameter type: The type.
    /// - Returns: The numbers; `nil` if the type was never observed in the center.
    @export(implementation)
    public subscript(type: Any.Type) -> Row? {
        let subject = NotificationSubject(type)
        return rows.first { $0.subject == subject }
    }

    /// The numbers as a table with aligned columns, for printing.
    public var table: String {
        let titles = ["notification", "posts", "deliveries", "drops", "failures"]
        let numbers = rows.map { [$0.posts, $0.deliveries, $0.drops, $0.failures].map(String.init) }
        return ([titles] + zip(rows, numbers).map { [$0.subject.name] + $1 }).alignedTable
    }
}

extension NotificationStatistics: CustomStringConvertible {
    /// The table.
    public var description: String { table }
}

/// Numbers of several centers, added up by what they are about.
@usableFromInline
package struct StatisticsSum: Sendable {
    @usableFromInline var rows: [NotificationSubject: NotificationStatistics.Row]

    @export(implementation)
    package init() { rows = [:] }

    /// Adds the numbers of a center.
    ///
    /// - Parameters:
    ///   - statistics: The numbers.
    ///   - capacity: How many subjects there may be. What comes after them is left out.
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

/// How many notifications of one type were dropped by the buffering policies of its observers in one center, or given up after an error.
@usableFromInline
package final class DropCounter: Sendable {
    @usableFromInline let number = Atomic(0)

    package init() {}

    private let failures = Atomic(0)

    package var count: Int { number.load(ordering: .relaxed) }

    /// How many were given up after an error.
    package var failureCount: Int { failures.load(ordering: .relaxed) }

    /// Counts one more.
    @export(implementation)
    package func add() { number.wrappingAdd(1, ordering: .relaxed) }

    /// Counts one more that was given up after an error.
    func addFailure() { failures.wrappingAdd(1, ordering: .relaxed) }
}
