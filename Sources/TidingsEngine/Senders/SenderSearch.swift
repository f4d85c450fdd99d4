/// A search for the roster of one sender, under the channel's lock.
///
/// Values are compared by the user's `==`, which must not be called under a lock. So a search that meets the roster of a
/// value with the same hash stops, compares without the lock, and starts again: once, or seldom more often.
struct SenderSearch {
    enum Outcome {
        case found(Roster)
        case absent
        /// ``compare()`` must be called, without the lock, and then ``find(in:)`` again.
        case undecided
    }

    private let sender: SenderIdentity
    private var same: Roster?
    private var others: [Roster] = []
    private var unknown: [Roster] = []

    init(_ sender: SenderIdentity) { self.sender = sender }

    /// Looks for the roster, under the lock.
    mutating func find(in table: SenderTable) -> Outcome {
        guard let tag = sender.tag else { return .absent }
        let found = table.roster(tag: tag) { roster in
            if case .value = sender {
                if roster === same { return true }
                if !others.contains(where: { $0 === roster }) { unknown.append(roster) }
                return false
            }
            return roster.sender.isSame(as: sender)
        }
        if let found { return .found(found) }
        return unknown.isEmpty ? .absent : .undecided
    }

    /// Compares the sender with those that were found with the same hash.
    mutating func compare() {
        for roster in unknown {
            if roster.sender.isSame(as: sender) { same = roster } else { others.append(roster) }
        }
        unknown = []
    }
}
