/// A search for the roster of one sender, under the channel's lock.
///
/// Values are compared by a user's `==`, which is not called under a lock. So a search that meets a roster with the hash of its
/// value stops, compares without the lock, and starts again: once, or seldom more often. Each roster is compared once.
struct RosterSearch {
    enum Outcome {
        case found(Roster)
        case absent
        /// ``compare()`` must be called, without the lock, and then ``find(in:)`` again.
        case undecided
    }

    private let tag: UInt?
    private let isObject: Bool
    private let isSame: (Roster) -> Bool

    /// Makes the roster, if there is none.
    let make: () -> Roster

    private var same: Roster?
    /// What was compared, kept so that no other roster gets its address.
    private var others: [ObjectIdentifier: Roster] = [:]
    private var unknown: [Roster] = []

    /// - Parameters:
    ///   - tag: The tag of the sender.
    ///   - isObject: Whether the sender is an object, which is compared without any code of a user's.
    ///   - isSame: Whether a roster with the tag is the sender's.
    ///   - make: Makes a roster for the sender.
    init(_ tag: UInt?, isObject: Bool, isSame: @escaping (Roster) -> Bool, make: @escaping () -> Roster) {
        self.tag = tag
        self.isObject = isObject
        self.isSame = isSame
        self.make = make
    }

    /// The tag, if the sender is an object.
    var objectTag: UInt? { isObject ? tag : nil }

    /// Looks for the roster, under the lock.
    mutating func find(in table: SenderTable) -> Outcome {
        guard let tag else { return .absent }
        let found = unsafe table.first(tag) { roster in
            // The caller holds the object, so this is not the end of it.
            if isObject { return isSame(roster) }
            if roster === same { return true }
            if others[ObjectIdentifier(roster)] == nil { unknown.append(roster) }
            return false
        }
        if let found = unsafe found { return .found(unsafe found.takeUnretainedValue()) }
        return unknown.isEmpty ? .absent : .undecided
    }

    /// Compares the sender with those that were found with the same hash.
    mutating func compare() {
        for roster in unknown {
            if isSame(roster) { same = roster } else { others[ObjectIdentifier(roster)] = roster }
        }
        unknown = []
    }
}
