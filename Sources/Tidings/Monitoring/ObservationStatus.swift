/// The state of one observation of a center, or of one consumer of a bus, at one moment. It keeps neither the observer
/// nor the sender nor the owner alive.
@dynamicMemberLookup
public struct ObservationStatus: Hashable, Sendable, Identifiable {
    /// The observer, with its notification type, its delivery mode and the place of its registration.
    @export(implementation) public let observer: ObserverDescription

    /// The sender to which the observer is limited; `nil` if it isn't limited. An object is described by its type and
    /// its address, a value by its type or its ``CustomTidingsDescription``, because a value may contain private data.
    @export(implementation) public let sender: String?

    /// The type and the address of the owner, or of a bus's consumer; `nil` if there is none.
    @export(implementation) public let owner: String?

    /// The number of queued notifications, without the one that the observer is handling; for a sequence, the number
    /// for its slowest iterator. Always 0 for an observer that runs in the post.
    @export(implementation) public let queued: Int

    /// The number of notifications that the observer's buffering policy has dropped.
    @export(implementation) public let dropped: Int

    /// The number of notifications for which the asynchronous observer threw an error and no retry followed.
    @export(implementation) public let failed: Int

    /// The number of queued notifications that wait for a retry: see
    /// ``FailureResponse/retry(after:then:keepingOrder:clock:)``.
    @export(implementation) public let retrying: Int

    /// Whether a call of the observer is running. It is always `false` for a sequence, whose consumer isn't called.
    @export(implementation) public let isRunning: Bool

    /// How long the current call has been running, to a few milliseconds; `nil` if no call is running, or if the time
    /// isn't known. The time is never known for an observer that runs in the post. If an observer receives several
    /// notifications in one batch because it can't suspend, the time is known only for the first call.
    @export(implementation) public var runningFor: Duration? { calls.isOneCall ? calls.turnDuration : nil }

    /// How long the oldest queued notification has been waiting; `nil` if the queue is empty, or if the time isn't
    /// known, as for a Combine subscriber. The duration may be too long by a few milliseconds, or by an eighth of the
    /// longest wait since the queue was last empty. After a burst, the duration may belong to a notification that was
    /// queued up to 63 places earlier.
    @export(implementation) public var oldestWait: Duration? { calls.oldestWait }

    @export(implementation) package let calls: CallStatus

    /// The observer's identity.
    public var id: ObserverDescription.ID { observer.id }

    /// Accesses a property of the observer, such as `subject`, `delivery` or `place`.
    public subscript<Value>(dynamicMember property: any KeyPath<ObserverDescription, Value> & Sendable) -> Value {
        observer[keyPath: property]
    }
}

/// An observation that has ended, with the reason. It keeps neither the observer nor the sender nor the owner alive.
public struct EndedObservation: Sendable, Identifiable {
    /// The observer.
    @export(implementation) public let observer: ObserverDescription

    /// Why it has ended.
    @export(implementation) public let reason: ObservationEndReason

    /// The observer's identity, the same as while the observation was active.
    public var id: ObserverDescription.ID { observer.id }
}

extension EndedObservation: CustomStringConvertible {
    /// The observer and the reason, in one phrase.
    public var description: String { "\(observer): \(reason)" }
}

extension Collection<ObservationStatus> {
    /// The observations as a table with aligned columns, for printing.
    public var table: String {
        let titles = ["notification", "sender", "owner", "delivery", "queued", "dropped", "running", "registered at"]
        let rows = map(\.cells)
        // If no observer is in a group, the last column is empty, so the table doesn't show it.
        let group = rows.allSatisfy { $0.last == "" } ? "" : "group"
        return ([titles + [group]] + rows).alignedTable
    }
}

extension ObservationStatus {
    fileprivate var cells: [String] {
        [
            observer.subject.name, sender ?? "", owner ?? "", observer.delivery.description,
            queued == 0 ? "" : "\(queued)", dropped == 0 ? "" : "\(dropped)", isRunning ? "yes" : "",
            observer.place.description, observer.group ?? "",
        ]
    }
}

extension [[String]] {
    var alignedTable: String {
        let rows = map { row in row.map(\.onOneLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { row[$0].padded(to: widths[$0]) }.joined(separator: "  ").trimmed
        }
        .joined(separator: "\n")
    }
}

extension String {
    fileprivate var onOneLine: String { String(map { $0.isNewline ? " " : $0 }) }

    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: width - count) }

    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
