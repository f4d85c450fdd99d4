/// The tokens of the sets of events that are registered, so that observers need not keep them.
@MainActor
package enum RegisteredSets {
    private struct Key: Hashable {
        let observer: ObjectIdentifier
        let events: ObjectIdentifier
    }

    private struct Entry {
        weak let observer: AnyObject?
        let tokens: [NotificationToken]
    }

    private static var entries: [Key: Entry] = [:]
    private static var sweepCount = 64

    /// How many sets are kept; those of dead observers count until they are swept.
    package static var count: Int { entries.count }

    /// Ends what an observer has registered for a type of events, and keeps other tokens in its place.
    static func replace(_ events: Any.Type, of observer: AnyObject, with tokens: [NotificationToken]) {
        let key = Key(observer: ObjectIdentifier(observer), events: ObjectIdentifier(events))
        // What is found may also be of a dead observer that had the same address: its tokens have ended already.
        let ended = entries.removeValue(forKey: key)
        if !tokens.isEmpty { entries[key] = Entry(observer: observer, tokens: tokens) }
        for token in ended?.tokens ?? [] { token.cancel() }
        sweep()
    }

    /// Removes the sets of dead observers, each time their number may have doubled.
    private static func sweep() {
        if entries.count < sweepCount { return }
        let dead = entries.filter { $0.value.observer == nil }
        for key in dead.keys { entries[key] = nil }
        sweepCount = max(64, 2 * entries.count)
        for token in dead.values.flatMap(\.tokens) { token.cancel() }
    }
}
