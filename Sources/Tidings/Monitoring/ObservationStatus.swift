/// The state of one observation of a center, or of one consumer of a bus: its observer, sender and owner, and the length of its queue.
///
/// It is a snapshot, taken when it was asked for, and keeps neither observer nor sender nor owner alive.
@dynamicMemberLookup
public struct ObservationStatus: Hashable, Sendable, Identifiable {
    /// The observer, with its notification type, its delivery and the place of its registration.
    @export(implementation) public let observer: ObserverDescription

    /// The description of the sender to which the observer is limited; `nil` for every sender.
    ///
    /// An object is described by its type and its address. A value is described by its type, as it may hold what is not to be shown;
    /// or by what its ``CustomTidingsDescription`` says.
    @export(implementation) public let sender: String?

    /// The type and the address of the object to which the observer is tied, or of a bus's consumer; `nil` if there is none.
    @export(implementation) public let owner: String?

    /// How many notifications wait for the observer; always 0 for an observer that runs in the post.
    ///
    /// The notification that the observer is handling is not counted. For a sequence, this is the number that wait for its
    /// slowest iterator.
    @export(implementation) public let queued: Int

    /// How many notifications the observer's buffering policy has dropped.
    @export(implementation) public let dropped: Int

    /// How many notifications an asynchronous observer threw an error for and was not called with again.
    @export(implementation) public let failed: Int

    /// How many of the notifications that wait were handed to the observer before, and will be again, after an error: see
    /// ``FailureResponse/retry(after:then:keepingOrder:clock:)``.
    @export(implementation) public let retrying: Int

    /// Whether a call of the observer is running. It is always false for a sequence, whose consumer is not called.
    @export(implementation) public let isRunning: Bool

    /// For how long the call is running, to some milliseconds; `nil` if none is, or if that is not known.
    ///
    /// It is known of asynchronous observers. Of several notifications that an observer is given at once, as one that cannot be suspended
    /// is, it is known of the first call alone.
    @export(implementation) public var runningFor: Duration? { calls.isOneCall ? calls.turnDuration : nil }

    /// For how long the oldest of the notifications that wait has waited, to some milliseconds; `nil` if none waits.
    ///
    /// Of notifications that came in quick succession, more than a thousand a second, it may be the age of one that came up to 63 before.
    @export(implementation) public var oldestWait: Duration? { calls.oldestWait }

    /// How far the calls have come.
    @export(implementation) package let calls: CallStatus

    /// The observer's identity.
    public var id: ObserverDescription.ID { observer.id }

    /// Reads a property of the observer: `subject`, `delivery` or `place`.
    public subscript<Value>(dynamicMember property: any KeyPath<ObserverDescription, Value> & Sendable) -> Value {
        observer[keyPath: property]
    }
}

/// An observation that has ended, and why.
///
/// It keeps neither observer nor sender nor owner alive.
public struct EndedObservation: Sendable, Identifiable {
    /// The observer.
    @export(implementation) public let observer: ObserverDescription

    /// Why it has ended.
    @export(implementation) public let reason: ObservationEndReason

    /// The observer's identity, as it was listed.
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
        let groups = map { $0.observer.group ?? "" }
        // Most tables have no groups.
        if groups.allSatisfy(\.isEmpty) { return ([titles] + map(\.cells)).alignedTable }
        return ([titles + ["group"]] + zip(self, groups).map { $0.cells + [$1] }).alignedTable
    }
}

extension ObservationStatus {
    fileprivate var cells: [String] {
        [
            observer.subject.name, sender ?? "", owner ?? "", observer.delivery.description,
            queued == 0 ? "" : "\(queued)", dropped == 0 ? "" : "\(dropped)", isRunning ? "yes" : "",
            observer.place.description,
        ]
    }
}

extension [[String]] {
    /// The rows as lines of text, with aligned columns.
    var alignedTable: String {
        let rows = map { row in row.map(\.onOneLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { cell, width in cell.padded(to: width) }.joined(separator: "  ").trimmed
        }
        .joined(separator: "\n")
    }
}

extension String {
    /// The string with spaces for its line breaks, as each value takes one line of the table.
    fileprivate var onOneLine: String { String(map { $0.isNewline ? " " : $0 }) }

    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: width - count) }

    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
