/// The options of an outbox. The defaults suit most programs.
public struct OutboxOptions: Hashable, Sendable {
    /// The maximum size of an encoded notification in bytes. The default is a million.
    public var maximumBodySize = 1_000_000

    /// The number of rows that are read at a time, by default 256. Up to that many rows may be repeated after a crash.
    /// Use the same number in all programs that run a durable observer. The next program uses its own `pageSize` as the
    /// number of rows that it marks as possibly repeated. If the number was larger in the crashed program, some repeats
    /// aren't marked.
    public var pageSize = 256

    /// The interval at which progress is saved while rows are handled. The default is 50 milliseconds. Notifications
    /// that were handled since the last save may be repeated when a program is killed.
    public var saveInterval = Duration.milliseconds(50)

    /// The interval of checks for unannounced new rows and for redelivered dead letters. The default is one second.
    public var pollInterval = Duration.seconds(1)

    /// The interval of attempts to take over durable observers of other programs. The default is half a second.
    public var claimInterval = Duration.milliseconds(500)

    /// The maximum number of notifications of a durable observer that are retried or wait behind a retried one. At the
    /// limit, the observer receives no new notifications. The default is 10,000. The retried and waiting
    /// notifications are kept in memory without their bodies.
    public var heldLimit = 10_000

    /// The age at which rows that no durable observer needs are removed. The default is one minute.
    public var retention = Duration.seconds(60)

    /// The time after which rows are no longer kept for a durable observer that no program runs. The default is one
    /// week. A program marks no observers as abandoned in its first ten minutes (or `abandonedAfter`, if that is
    /// shorter), because it may not have registered all its observers yet.
    public var abandonedAfter = Duration.seconds(7 * 86_400)

    /// The age at which dead letters are removed, or `nil`, the default, to keep them until they are redelivered or
    /// dropped. The age counts from the last time that the notification became a dead letter.
    public var deadLetterRetention: Duration?

    /// The time for which the inbox of the same database keeps the identity of a delivery, or `nil`, the default, to
    /// keep all identities. The time must exceed the period in which a delivery can be repeated, such as the retention
    /// of a stream.
    public var inboxRetention: Duration?

    /// The time after which a call of a durable observer is reported as hanging. The default is one minute.
    public var callPatience = Duration.seconds(60)

    /// Creates the default options.
    public init() {}
}

/// The order in which a durable observer receives notifications, and which of them wait while one is retried.
///
/// With `partitions`, several workers handle the notifications of one observer: see <doc:SeveralWorkers>.
public struct DurableOrder<N: Sendable>: Sendable {
    let isStrict: Bool
    var partitions = 1
    let key: @Sendable (N, Int64) -> String

    /// All notifications are delivered in order. While one is retried, no later one is delivered.
    public static var strict: DurableOrder { DurableOrder(isStrict: true) { _, _ in "" } }

    /// Notifications with the same value are delivered in order. While one is retried, later ones with its value wait.
    ///
    /// - Parameters:
    ///   - value: Returns the value. Values are compared by their descriptions, which must be the same in all programs.
    ///   - count: The number of partitions. Each partition handles one notification at a time, in one program. The
    ///     number is rounded up to a power of two, and is at most 256.
    /// - Returns: The order.
    public static func by<Value>(_ value: @escaping @Sendable (N) -> Value, partitions count: Int = 1) -> DurableOrder {
        DurableOrder(isStrict: false, partitions: Partitions.count(for: count)) { note, _ in
            String(describing: value(note))
        }
    }

    /// Notifications are delivered in no particular order. A notification that is retried blocks no others.
    public static var unordered: DurableOrder { DurableOrder(isStrict: false) { _, id in "\(id)" } }

    /// Notifications are delivered in no particular order, by several workers.
    ///
    /// - Parameter count: The number of partitions. Each partition handles one notification at a time, in one program.
    ///   The number is rounded up to a power of two, and is at most 256.
    /// - Returns: The order.
    public static func unordered(partitions count: Int) -> DurableOrder {
        var order = unordered
        order.partitions = Partitions.count(for: count)
        return order
    }
}
