public import Tidings

/// What a test expects of one post.
///
/// ```swift
/// await recorder.expectPosted(exactly: .equal(to: Saved(id: 7)), .any(CacheCleared.self))
/// ```
public struct PostExpectation: Sendable {
    /// The type that is expected.
    let type: any NotificationContent.Type

    /// What is expected, in words.
    public let description: String

    private let condition: @Sendable (KeptNotification) -> Bool

    private init(
        _ type: any NotificationContent.Type, _ description: String,
        condition: @escaping @Sendable (KeptNotification) -> Bool
    ) {
        self.type = type
        self.description = description
        self.condition = condition
    }

    /// Whether a post is what is expected.
    func matches(_ post: RecordedPost) -> Bool { post.type == type && condition(post.kept) }

    /// Expects any notification of a type.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The expectation.
    public static func any<N: NotificationContent>(_ type: N.Type) -> PostExpectation {
        PostExpectation(type, "any \(TypeName.of(type))") { _ in true }
    }

    /// Expects a notification of a type for which a condition holds.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - condition: The condition.
    /// - Returns: The expectation.
    public static func any<N: TypedNotification & Sendable>(
        _ type: N.Type, where condition: @escaping @Sendable (N) -> Bool
    ) -> PostExpectation {
        PostExpectation(type, "a \(TypeName.of(type)) that fits") { $0.value(as: type).map(condition) == true }
    }

    /// Expects a main-actor notification of a type for which a condition holds.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - condition: The condition.
    /// - Returns: The expectation.
    public static func any<N: MainActorNotification & Sendable>(
        _ type: N.Type, where condition: @escaping @Sendable (N) -> Bool
    ) -> PostExpectation {
        PostExpectation(type, "a \(TypeName.of(type)) that fits") { $0.value(as: type).map(condition) == true }
    }

    /// Expects a notification that equals another.
    ///
    /// - Parameter notification: The other one.
    /// - Returns: The expectation.
    public static func equal<N: TypedNotification & Sendable & Equatable>(to notification: N) -> PostExpectation {
        PostExpectation(N.self, String(describing: notification)) { $0.value(as: N.self) == notification }
    }

    /// Expects a main-actor notification that equals another.
    ///
    /// - Parameter notification: The other one.
    /// - Returns: The expectation.
    public static func equal<N: MainActorNotification & Sendable & Equatable>(to notification: N) -> PostExpectation {
        PostExpectation(N.self, String(describing: notification)) { $0.value(as: N.self) == notification }
    }
}

extension PostExpectation: CustomStringConvertible {}
