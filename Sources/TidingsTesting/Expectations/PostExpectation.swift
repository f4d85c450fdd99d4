public import Tidings

/// An expectation that a single post has to meet.
///
/// ```swift
/// await recorder.expectPosted(exactly: .equal(to: Saved(id: 7)), .any(CacheCleared.self))
/// ```
public struct PostExpectation: CustomStringConvertible, Sendable {
    let type: any NotificationContent.Type

    /// A description of the expectation.
    public let description: String

    private let condition: @Sendable (KeptNotification) -> Bool

    func matches(_ post: RecordedPost) -> Bool { post.type == type && condition(post.kept) }

    /// Expects any notification of a type.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The expectation.
    public static func any<N: NotificationContent>(_ type: N.Type) -> PostExpectation {
        PostExpectation(type: type, description: "any \(shownName(of: type))") { _ in true }
    }

    /// Expects a notification of a type that meets a condition.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - condition: The condition.
    /// - Returns: The expectation.
    public static func any<N: NotificationContent & Sendable>(
        _ type: N.Type, where condition: @escaping @Sendable (N) -> Bool
    ) -> PostExpectation {
        PostExpectation(type: type, description: "a matching \(shownName(of: type))") {
            $0.value(as: type).map(condition) == true
        }
    }

    /// Expects a notification that equals the given one.
    ///
    /// - Parameter notification: The expected notification.
    /// - Returns: The expectation.
    public static func equal<N: NotificationContent & Sendable & Equatable>(to notification: N) -> PostExpectation {
        PostExpectation(type: N.self, description: "\(notification)") { $0.value(as: N.self) == notification }
    }
}

struct Difference {
    private(set) var lines: [String] = []
    private let posted: Int
    private var missing = 0
    private var unexpected = 0

    var summary: String { "Posted: \(posted), missing (-): \(missing), not expected (+): \(unexpected)." }
    var isEmpty: Bool { missing == 0 && unexpected == 0 }

    init(expected: [PostExpectation], posted: [RecordedPost]) {
        self.posted = posted.count
        let matches = expected.map { expectation in posted.map(expectation.matches) }
        // `best[row][column]` is the number of matches in the best alignment of the expectations from `row` on with the
        // posts from `column` on.
        var best = Array(repeating: Array(repeating: 0, count: posted.count + 1), count: expected.count + 1)
        for row in expected.indices.reversed() {
            for column in posted.indices.reversed() {
                best[row][column] =
                    matches[row][column]
                    ? best[row + 1][column + 1] + 1 : max(best[row + 1][column], best[row][column + 1])
            }
        }
        var (row, column) = (0, 0)
        while row < expected.count || column < posted.count {
            if row < expected.count, column < posted.count, matches[row][column] {
                lines.append("  \(posted[column])")
                (row, column) = (row + 1, column + 1)
            } else if column == posted.count || row < expected.count && best[row + 1][column] >= best[row][column + 1] {
                lines.append("- \(expected[row])")
                (row, missing) = (row + 1, missing + 1)
            } else {
                lines.append("+ \(posted[column])")
                (column, unexpected) = (column + 1, unexpected + 1)
            }
        }
    }
}
