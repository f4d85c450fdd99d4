/// Counts faults that are alike, so that each kind is told once a second at most: a state machine.
///
/// What goes wrong with one notification goes wrong with all that follow. Told one by one, faults would take more time than the
/// notifications do, and hide the others in a log.
struct FaultLimiter: Sendable {
    private struct Key: Hashable {
        let kind: RelayFault.Kind
        /// Without the sender: there may be as many as there are senders.
        let subject: Substring?
    }

    private struct Entry {
        var end: Duration
        /// The last of those that have come since one was told, and how many they are.
        var last: RelayFault?
        var count = 0
    }

    private static let interval = Duration.seconds(1)

    private var entries: [Key: Entry] = [:]

    /// Takes a fault.
    ///
    /// - Returns: The fault if it is to be told now; `nil` if it is counted.
    mutating func add(_ fault: RelayFault, at now: Duration) -> RelayFault? {
        // Each of these is a notification that somebody has to look after.
        if fault.kind == .deadLetter { return fault }
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

    /// Takes out what was counted and is due.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isLast: Whether all is due, as the relay ends.
    /// - Returns: The last fault of each kind, with how many there were.
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
