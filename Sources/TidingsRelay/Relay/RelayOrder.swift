/// The order of a group's notifications while its members handle many at a time.
///
/// ```swift
/// .durable(InvoiceDue.self, stream: "ORDERS", group: "printers", ordered: .by(\.customer, partitions: 32))
/// ```
///
/// The notifications with one key are in one of several *partitions*. Each partition has one notification in progress,
/// in the order of the stream, at one member or another, even while members are lost. The number of partitions is
/// therefore the maximum number in progress.
///
/// The program that posts determines the partition. The route with which a program posts therefore has the same order
/// as that of the group, even if the route is only outgoing. Posts of programs whose routes have no order form an
/// additional partition for each version.
public struct RelayOrder<N: RemoteNotification>: Sendable {
    let partitions: Int
    let partition: @Sendable (N) -> Int

    /// Keeps the notifications with the same key in order.
    ///
    /// - Parameters:
    ///   - key: The key. It is identified by its description, which has to be the same in all programs.
    ///   - partitions: The number of partitions, which has to be the same in all programs.
    /// - Returns: The order.
    public static func by<Key: CustomStringConvertible & SendableMetatype>(
        _ key: any KeyPath<N, Key> & Sendable, partitions: Int
    ) -> RelayOrder {
        let partitions = max(1, partitions)
        return RelayOrder(partitions: partitions) { note in
            // FNV-1a is the same in each process, unlike Swift's own hashes.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in note[keyPath: key].description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return Int(hash % UInt64(partitions))
        }
    }
}

/// The partitions of a route, regardless of its type.
struct RoutePartitions: Sendable {
    let count: Int
    /// Returns the part of a notification's subject that contains its partition in place of the version; `nil` for
    /// another type.
    let name: @Sendable (Any) -> String?

    init<N: RemoteNotification>(_ order: RelayOrder<N>) {
        count = order.partitions
        name = { note in (note as? N).map { Self.name(order.partition($0)) } }
    }

    private static func name(_ partition: Int) -> String { "p\(partition)" }

    /// Returns the parts of subjects that a group reads, each with its own consumer.
    func names(_ versions: ClosedRange<Int>) -> [String] {
        (0..<count).map(Self.name) + versions.prefix(8).map { "v\($0)" }
    }

    /// Returns a fault if the program that posted a message divides its notifications into a different number of
    /// partitions from the group, which may then not read all of them; `nil` otherwise.
    func differing(from message: RelayMessage) -> RelayFault? {
        guard let said = message.header(EventForm.partitionHeader), Int(said) != count else { return nil }
        return RelayFault(
            .settingsDiffer, subject: message.subject,
            "it was posted by a route with \(said) partitions, and the group reads \(count): no worker receives the other partitions"
        )
    }
}
