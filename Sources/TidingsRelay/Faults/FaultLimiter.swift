/// Reports faults of the same kind and type at most once per second. Reporting every fault would take longer than
/// handling the notifications, and would hide other faults in a log.
struct FaultLimiter: Sendable {
    private struct Key: Hashable {
        let kind: RelayFault.Kind
        /// The subject without the sender, because there may be many senders.
        let subject: Substring?
    }

    private struct Entry {
        var end: Duration
        var last: RelayFault?
        var count = 0
    }

    private static let interval = Duration.seconds(1)

    private var entries: [Key: Entry] = [:]

    mutating func add(_ fault: RelayFault, at now: Duration) -> RelayFault? {
        // Every dead letter needs attention, and a notification stored again may be handled twice.
        if fault.kind == .deadLetter || fault.kind == .storedAgain { return fault }
        let subject = fault.subject.map { $0[..<($0.firstRange(of: ".~.")?.lowerBound ?? $0.endIndex)] }
        let key = Key(kind: fault.kind, subject: subject)
        guard entries[key] != nil else {
            entries[key] = Entry(end: now + Self.interval)
            return fault
        }
        entries[key]?.last = fault
        entries[key]?.count += fault.count
        return nil
    }

    mutating func takeDue(at now: Duration, isLast: Bool = false) -> [RelayFault] {
        if entries.isEmpty { return [] }
        var due: [RelayFault] = []
        for (key, entry) in entries where entry.end <= now || isLast {
            guard var fault = entry.last else {
                entries[key] = nil
                continue
            }
            fault.count = entry.count
            due.append(fault)
            entries[key] = Entry(end: now + Self.interval)
        }
        return due
    }
}
