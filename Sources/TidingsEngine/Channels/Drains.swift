/// Those who wait until no call of an entry is running.
///
/// As long as somebody does, the entry's chunk asks posts to tell when a call in it has ended.
struct Drains {
    private struct Drain {
        let number: Int
        let entry: Entry
        var continuation: CheckedContinuation<Void, Never>?
    }

    private var all: [Drain] = []
    private var count = 0

    /// Asks posts to tell, before anybody waits.
    ///
    /// - Returns: The number of the drain.
    mutating func begin(_ entry: Entry) -> Int {
        count += 1
        all.append(Drain(number: count, entry: entry))
        entry.chunk.setDrained(true)
        return count
    }

    /// Waits to be told.
    mutating func wait(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
        guard let index = all.firstIndex(where: { $0.number == number }) else { return continuation.resume() }
        all[index].continuation = continuation
    }

    /// Ends a drain that need not wait.
    mutating func end(_ number: Int) {
        remove { $0.number == number }
    }

    /// Ends the drains whose wait is over.
    mutating func takeEnded(isCalling: (Entry) -> Bool) -> [CheckedContinuation<Void, Never>] {
        if all.isEmpty { return [] }
        return remove { $0.continuation != nil && !isCalling($0.entry) }.compactMap(\.continuation)
    }

    @discardableResult
    private mutating func remove(_ isEnded: (Drain) -> Bool) -> [Drain] {
        let ended = all.filter(isEnded)
        all.removeAll { drain in ended.contains { $0.number == drain.number } }
        // Not even for a moment may a chunk seem not to be drained that still is: a post would tell nobody that a call ended.
        for drain in ended where !isDrained(drain.entry.chunk) { drain.entry.chunk.setDrained(false) }
        return ended
    }

    private func isDrained(_ chunk: Chunk) -> Bool {
        all.contains { $0.entry.chunk.start == chunk.start }
    }
}
