import Tidings

/// What observers saw, in the order in which they saw it.
final class Journal<Entry: Sendable>: Sendable {
    private let storage = Lock<[Entry]>([])

    var entries: [Entry] { storage.withLock { $0 } }
    var count: Int { storage.withLock { $0.count } }

    func note(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}
