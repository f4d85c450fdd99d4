/// The limits up to which a stream keeps notifications: their age, size and number.
///
/// A stream that the relay creates has the ``standard`` retention by default. A retention that a route sets also
/// applies to an existing stream. The server may remove notifications that no program has read.
public struct StreamRetention: Hashable, Sendable {
    /// The behavior of a stream that has reached a limit.
    @nonexhaustive
    public enum Overflow: String, Hashable, CaseIterable, Sendable {
        /// The oldest notifications are removed.
        case dropOldest
        /// New notifications are rejected. By default, they wait in send buffers: see ``RelayRoute/whenFull(_:)``.
        case refuseNewest
    }

    /// The maximum age of notifications, or `nil` for no limit.
    public var age: Duration?

    /// The maximum size of all notifications in bytes, with the server's overhead, or `nil` for no limit.
    public var bytes: Int?

    /// The maximum number of notifications, or `nil` for no limit.
    public var messages: Int?

    /// The behavior when a limit is reached.
    public var overflow: Overflow

    /// Creates a retention.
    ///
    /// - Parameters:
    ///   - age: The maximum age.
    ///   - bytes: The maximum size of all notifications in bytes.
    ///   - messages: The maximum number of notifications.
    ///   - overflow: The behavior when a limit is reached.
    public init(age: Duration? = nil, bytes: Int? = nil, messages: Int? = nil, overflow: Overflow = .dropOldest) {
        self.age = age
        self.bytes = bytes
        self.messages = messages
        self.overflow = overflow
    }

    /// Seven days, and one gibibyte if the server can reserve it. Beyond a limit, the oldest notifications are removed.
    public static let standard = StreamRetention(age: .seconds(7 * 24 * 3600), bytes: 1 << 30)

    var members: [(name: String, value: String)] {
        [
            ("max_age", "\(age.map { max(1, $0.nanoseconds) } ?? 0)"),
            ("max_bytes", "\(bytes.map { max(1, $0) } ?? -1)"), ("max_msgs", "\(messages.map { max(1, $0) } ?? -1)"),
            ("discard", overflow == .dropOldest ? #""old""# : #""new""#),
        ]
    }
}
