package import Testing

/// Waits until a condition holds. Fails the test after a minute.
///
/// Use this only if nothing signals the change for which the test waits. Otherwise, use a gate, a confirmation or a
/// manual clock. `awaited` describes the condition for the message, such as "the observer is queued".
@discardableResult
package func eventually(
    _ awaited: String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    var pauses = Pauses(limit)
    while try await !condition() {
        guard await pauses.next() else {
            Issue.record("Not within \(limit): \(awaited).", sourceLocation: sourceLocation)
            return false
        }
    }
    return true
}

/// Waits until a value is as expected. After a minute, the test fails and shows the last value.
@discardableResult
package func eventually<Value>(
    _ awaited: String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ value: () async throws -> Value, until isExpected: (Value) -> Bool
) async rethrows -> Bool {
    var pauses = Pauses(limit)
    while true {
        let last = try await value()
        if isExpected(last) { return true }
        guard await pauses.next() else {
            Issue.record("Not within \(limit): \(awaited). The last value was \(last).", sourceLocation: sourceLocation)
            return false
        }
    }
}

/// Runs a closure in a task, and fails the test if the closure doesn't return within a minute.
///
/// Use this for a function that ignores cancellation, such as a drain, because a test's time limit can't end such a
/// function. If the closure doesn't return, its task continues.
@discardableResult
package func returns(
    _ what: String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async -> Void
) async -> Bool {
    let isDone = Gate()
    Task {
        await body()
        isDone.open()
    }
    return await eventually("\(what) returns", within: limit, sourceLocation: sourceLocation) { isDone.isOpen }
}

/// Pauses between checks. The first pauses only yield to other tasks. Later pauses grow to 50 ms.
struct Pauses {
    private let end: ContinuousClock.Instant
    private var count = 0

    /// - Parameter limit: The total time of the pauses. At least 50 pauses are made, even if they take longer than the
    /// limit.
    init(_ limit: Duration) { end = .now + limit }

    /// Pauses and returns `true` if there is time left. Otherwise, returns `false` immediately.
    mutating func next() async -> Bool {
        count += 1
        if count > 50, ContinuousClock.now >= end { return false }
        if count <= 20 || Task.isCancelled {
            await Task.yield()
        } else {
            try? await Task.sleep(for: .milliseconds(min(count - 20, 50)))
        }
        return true
    }
}
