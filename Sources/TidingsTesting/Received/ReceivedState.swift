/// What was received, and who waits for more.
struct ReceivedState<Value: Sendable> {
    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private(set) var values: [Value] = []
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0

    var waitingCount: Int { waiters.count }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Adds a value.
    ///
    /// - Returns: Who need not wait any more.
    mutating func append(_ value: Value) -> [CheckedContinuation<Void, Never>] {
        values.append(value)
        if waiters.isEmpty { return [] }
        let ready = waiters.filter { $0.value.count <= values.count }
        for id in ready.keys { waiters[id] = nil }
        return ready.values.map(\.continuation)
    }

    /// Waits for so many values.
    ///
    /// - Returns: Whether that is to be waited for: false if they are there.
    mutating func wait(_ id: Int, for count: Int, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if values.count >= count { return false }
        waiters[id] = Waiter(count: count, continuation: continuation)
        return true
    }

    /// Gives up waiting.
    mutating func cancel(_ id: Int) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: id)?.continuation
    }
}
