/// The options of an outbox. The defaults suit most programs.
public struct OutboxOptions: Hashable, Sendable {
    /// The maximum size of an encoded notification, in bytes; a million by default.
    public var maximumBodySize = 1_000_000

    /// The number of rows that are read at a time; 256 by default. The same number may be repeated when a program is
    /// killed.
    public var pageSize = 256

    /// The maximum time for which progress is unsaved while rows are handled; 50 milliseconds by default. Notifications
    /// handled in that time may be repeated when a program is killed.
    public var saveInterval = Duration.milliseconds(50)

    /// The interval at which the outbox checks for unannounced rows and for redelivered dead letters; one second by
    /// default.
    public var pollInterval = Duration.seconds(1)

    /// The interval at which it tries to take over a durable observer that another program runs; half a second by
    /// default.
    public var claimInterval = Duration.milliseconds(500)

    /// The maximum number of notifications of a durable observer that are retried, or wait behind one with the same
    /// key, before it accepts no new ones; 10,000 by default. They are kept in memory, without their bodies.
    public var heldLimit = 10_000

    /// The time for which rows are kept that no durable observer needs; a minute by default.
    public var retention = Duration.seconds(60)

    /// The time after which a durable observer that no program runs no longer prevents the removal of rows; a week by
    /// default. A program that is started later still has ten minutes to register its observers, or this time if it is
    /// shorter.
    public var abandonedAfter = Duration.seconds(7 * 86_400)

    /// The time for which dead letters are kept; `nil`, the default, to keep them until they are redelivered or dropped.
    /// It counts from the time at which a notification became a dead letter, or at which a program with this option
    /// first ran.
    public var deadLetterRetention: Duration?

    /// The time for which the inbox of the same database knows a delivery; `nil`, the default, to keep all of them. It
    /// has to be longer than anything that repeats a delivery, such as the retention of a stream.
    public var inboxRetention: Duration?

    /// The time after which a call of a durable observer is reported to hang; a minute by default.
    public var callPatience = Duration.seconds(60)

    /// Creates the default options.
    public init() {}
}

/// The notifications of a durable observer that wait for each other when one fails.
///
/// With `partitions`, several workers handle the notifications of one observer: see <doc:SeveralWorkers>.
public struct DurableOrder<N: Sendable>: Sendable {
    let isStrict: Bool
    var partitions = 1
    /// Returns the key of a notification, which may depend on the number of its row.
    let key: @Sendable (N, Int64) -> String

    /// All notifications: while one is retried, none that was stored later is delivered.
    public static var strict: DurableOrder { DurableOrder(isStrict: true) { _, _ in "" } }

    /// Notifications with the same value: while one is retried, later ones with the same value wait.
    ///
    /// - Parameters:
    ///   - value: Returns the value. Different values must have different descriptions, and equal values the same one in
    ///     all programs.
    ///   - count: The number of partitions, each with one notification in progress, in this program or another one. It
    ///     is rounded up to a power of two, and is at most 256.
    /// - Returns: The order.
    public static func by<Value>(_ value: @escaping @Sendable (N) -> Value, partitions count: Int = 1)
        -> DurableOrder
    {
        DurableOrder(isStrict: false, partitions: Partitions.count(for: count)) { note, _ in
            String(describing: value(note))
        }
    }

    /// No order: a notification that fails is retried, and blocks no others.
    public static var unordered: DurableOrder { DurableOrder(isStrict: false) { _, id in "\(id)" } }

    /// No order, with several workers.
    ///
    /// - Parameter count: The number of partitions, each with one notification in progress, in this program or another
    ///   one. It is rounded up to a power of two, and is at most 256.
    /// - Returns: The order.
    public static func unordered(partitions count: Int) -> DurableOrder {
        var order = unordered
        order.partitions = Partitions.count(for: count)
        return order
    }
}
