/// How an outbox works. The defaults serve most programs.
public struct OutboxOptions: Hashable, Sendable {
    /// The largest encoded notification, in bytes: a million unless set.
    public var maximumBodySize = 1_000_000

    /// How many rows are read at a time: 256. As many may come twice when a program is killed.
    public var pageSize = 256

    /// How long progress may go unsaved while rows are handled: 50 milliseconds. What was handled in that time may come twice when a
    /// program is killed.
    public var saveInterval = Duration.milliseconds(50)

    /// How often the outbox looks for rows of which nobody told it, and for what was sent again: a second.
    public var pollInterval = Duration.seconds(1)

    /// How often it tries to take over a durable observer that another program runs: half a second.
    public var claimInterval = Duration.milliseconds(500)

    /// How many notifications of a durable observer may be tried again, or wait behind one of the same key, before it takes no new
    /// ones: 10,000. They are kept in memory, without their bodies.
    public var heldLimit = 10_000

    /// How long rows are kept that no durable observer waits for: a minute.
    public var retention = Duration.seconds(60)

    /// After how long a durable observer that no program runs holds up nothing any more: a week. A program that is started later still
    /// has ten minutes to register its observers, or as long as this, if that is less.
    public var abandonedAfter = Duration.seconds(7 * 86_400)

    /// After how long a call of a durable observer is reported to hang: a minute.
    public var callPatience = Duration.seconds(60)

    /// The defaults.
    public init() {}
}

/// Which notifications of a durable observer wait for each other when one fails.
public struct DurableOrder<N: Sendable>: Sendable {
    let isStrict: Bool
    let key: @Sendable (N, Int64) -> String

    /// All: while one is tried again, none that was stored later is delivered.
    public static var strict: DurableOrder { DurableOrder(isStrict: true) { _, _ in "" } }

    /// Those with the same value: while one is tried again, those that were stored later and have the same value wait.
    ///
    /// - Parameter value: The value, with a description that differs where values do.
    /// - Returns: The order.
    public static func by<Value>(_ value: @escaping @Sendable (N) -> Value) -> DurableOrder {
        DurableOrder(isStrict: false) { note, _ in String(describing: value(note)) }
    }

    /// None: what fails is tried again, and holds up nothing.
    public static var unordered: DurableOrder { DurableOrder(isStrict: false) { _, position in "\(position)" } }
}
