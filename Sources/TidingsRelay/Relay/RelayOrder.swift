/// By what the notifications of a group are kept in order, while its members work on many at a time.
///
/// ```swift
/// .durable(InvoiceDue.self, stream: "ORDERS", group: "printers", ordered: .by(\.customer, partitions: 32))
/// ```
///
/// The notifications of one key are in one of so many *partitions*, of which each has one notification in progress, in the order of the
/// stream: at one member or another, also while members are lost. So as many are in progress as there are partitions, at most.
///
/// Who posts finds the partition. So the route by which a program posts has the same order as that of the group, also where that route only
/// goes out. What programs post whose routes have no order is one more partition, for each version.
public struct RelayOrder<N: RemoteNotification>: Sendable {
    let partitions: Int
    let partition: @Sendable (N) -> Int

    /// Keeps the notifications of each key in order.
    ///
    /// - Parameters:
    ///   - key: What the notifications have in common that are kept in order. It is known by its description, which is the same in all
    ///     programs.
    ///   - partitions: How many partitions there are: the same number in all programs.
    /// - Returns: The order.
    public static func by<Key: CustomStringConvertible & SendableMetatype>(
        _ key: any KeyPath<N, Key> & Sendable, partitions: Int
    ) -> RelayOrder {
        let partitions = max(1, partitions)
        return RelayOrder(partitions: partitions) { note in
            // FNV-1a: the same in each process, which Swift's own hashes are not.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in note[keyPath: key].description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return Int(hash % UInt64(partitions))
        }
    }
}

/// The partitions of a route, whatever its type.
struct RoutePartitions: Sendable {
    let count: Int
    /// The part of the subject of a notification that says its partition, in the place of the version; `nil` for one of another type.
    let name: @Sendable (Any) -> String?

    init<N: RemoteNotification>(_ order: RelayOrder<N>) {
        count = order.partitions
        name = { note in (note as? N).map { Self.name(order.partition($0)) } }
    }

    private static func name(_ partition: Int) -> String { "p\(partition)" }

    /// The parts of subjects that a group reads, each by a consumer of its own.
    func names(_ versions: ClosedRange<Int>) -> [String] {
        (0..<count).map(Self.name) + versions.prefix(8).map { "v\($0)" }
    }

    /// That who has posted a message divides its notifications into another number of partitions than the group, which then may not read all
    /// of them; `nil` if that is not so.
    func differing(from message: RelayMessage) -> RelayFault? {
        guard let said = message.header(EventForm.partitionHeader), Int(said) != count else { return nil }
        return RelayFault(
            .settingsDiffer, subject: message.subject,
            "it was posted by a route with \(said) partitions, and the group reads \(count): nobody gets what is in others"
        )
    }
}
