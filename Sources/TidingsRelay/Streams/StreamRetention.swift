/// How long a stream keeps notifications, and how many.
///
/// A stream that the relay makes has the ``standard`` unless a route says otherwise. What a route says, a stream that is there
/// gets, too. What goes, as it is too old or too much, goes whether or not somebody has read it.
public struct StreamRetention: Hashable, Sendable {
    /// What becomes of notifications when there are too many.
    @nonexhaustive
    public enum Overflow: String, Hashable, CaseIterable, Sendable {
        /// The oldest go.
        case dropOldest
        /// The new ones are not taken: they wait in the outboxes of those who post them, see ``RelayRoute/whenFull(_:)``.
        case refuseNewest
    }

    /// How old notifications get; `nil` for any age.
    public var age: Duration?

    /// How many bytes of them there are at most, with what the server adds; `nil` for as many as the server has room for.
    public var bytes: Int?

    /// How many there are at most; `nil` for any number.
    public var messages: Int?

    /// What becomes of them when there are too many.
    public var overflow: Overflow

    /// Describes how long a stream keeps notifications.
    ///
    /// - Parameters:
    ///   - age: How old they get.
    ///   - bytes: How many bytes of them there are at most.
    ///   - messages: How many there are at most.
    ///   - overflow: What becomes of them when there are too many.
    public init(
        age: Duration? = nil, bytes: Int? = nil, messages: Int? = nil, overflow: Overflow = .dropOldest
    ) {
        self.age = age
        self.bytes = bytes
        self.messages = messages
        self.overflow = overflow
    }

    /// Seven days and one gibibyte, of which the oldest go: enough for a long weekend, and too little to fill a disk.
    public static let standard = StreamRetention(age: .seconds(7 * 24 * 3600), bytes: 1 << 30)

    /// The members of the configuration of a stream, and their values, as the server has them.
    var members: [(name: String, value: String)] {
        [
            ("max_age", "\(age.map { max(1, $0.nanoseconds) } ?? 0)"),
            ("max_bytes", "\(bytes.map { max(1, $0) } ?? -1)"),
            ("max_msgs", "\(messages.map { max(1, $0) } ?? -1)"),
            ("discard", overflow == .dropOldest ? #""old""# : #""new""#),
        ]
    }
}
