/// The order of a group's notifications while its members handle many at a time.
///
/// ```swift
/// .durable(InvoiceDue.self, stream: "ORDERS", group: "printers", ordered: .by(\.customer, partitions: 32))
/// ```
///
/// Notifications with the same key are in the same *partition*. In each partition, one notification at a time is in
/// progress, in the order of the stream. The number of partitions is therefore the maximum number in progress.
///
/// The program that posts determines the partition, so its route needs the same order as the group's route.
/// Notifications from routes without an order form one additional partition for each version of the type. The group can
/// read at most 256 versions.
public struct RelayOrder<N: RemoteNotification>: Sendable {
    let partitions: Int
    let partition: @Sendable (N) -> Int

    /// Keeps the notifications with the same key in order.
    ///
    /// - Parameters:
    ///   - key: The key. Its description identifies it, and has to be the same in all programs.
    ///   - partitions: The number of partitions, which has to be the same in all programs.
    /// - Returns: The order.
    public static func by<Key: CustomStringConvertible & SendableMetatype>(
        _ key: any KeyPath<N, Key> & Sendable, partitions: Int
    ) -> RelayOrder {
        let partitions = max(1, partitions)
        return RelayOrder(partitions: partitions) { note in
            Int(note[keyPath: key].description.stableHash % UInt64(partitions))
        }
    }
}

struct RoutePartitions: Sendable {
    let count: Int
    /// Returns the token for a notification's partition. In the subject, the token replaces the version.
    let name: @Sendable (Any) -> String?

    init<N: RemoteNotification>(_ order: RelayOrder<N>) {
        count = order.partitions
        name = { note in (note as? N).map { Self.name(order.partition($0)) } }
    }

    private static func name(_ partition: Int) -> String { "p\(partition)" }

    /// Returns the names of the partitions, and of the versions that a program reads. The number of versions that are
    /// newer than the current one is limited, because the range may be open-ended, and each version needs a consumer.
    func names(_ versions: ClosedRange<Int>, of type: EventType) throws(RelayFault) -> [String] {
        let versions = versions.clamped(to: 0...min(max(0, type.version), Int.max - 8) + 8)
        // `versions.count` would overflow for a range from 0 to `Int.max`.
        if versions.upperBound - versions.lowerBound < Self.versionLimit {
            return (0..<count).map(Self.name) + versions.map { "v\($0)" }
        }
        throw RelayFault(
            .invalidConfiguration,
            "a group with an order reads at most \(Self.versionLimit) versions: limit readableVersions of \(type.name)"
        )
    }

    private static let versionLimit = 256

    func differing(from message: RelayMessage) -> RelayFault? {
        guard let said = message.header(EventForm.partitionHeader), Int(said) != count else { return nil }
        let effect =
            (Int(said) ?? 0) > count ? "no worker receives the other partitions" : "the other partitions stay empty"
        return RelayFault(
            .settingsDiffer, subject: message.subject,
            "it was posted by a route with \(said) partitions, and the group reads \(count): \(effect)")
    }
}
