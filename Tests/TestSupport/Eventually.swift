package import Testing

/// Waits until a condition holds, and fails the test if it does not within a minute.
///
/// Use this only for something that another thread does and that nothing announces. A gate, a confirmation or a manual clock is better where
/// there is one.
///
/// - Parameters:
///   - awaited: The condition in words, for the message: "the observer is queued".
///   - limit: How long to wait.
///   - sourceLocation: The place that a failure is reported for.
///   - condition: The condition. It is evaluated again and again, at growing intervals.
/// - Returns: Whether the condition holds.
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

/// Waits until a value is as expected, and fails the test with the last value if it is not within a minute.
///
/// - Parameters:
///   - awaited: What is awaited, in words: "all notifications are stored".
///   - limit: How long to wait.
///   - sourceLocation: The place that a failure is reported for.
///   - value: The value. It is evaluated again and again, at growing intervals.
///   - isExpected: Whether a value is as expected.
/// - Returns: Whether the value is as expected.
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

/// Runs a closure in a task of its own, and fails the test if it does not return within a minute.
///
/// Use this for a function that ignores cancellation, such as a drain: no time limit of a test could end it.
///
/// - Parameters:
///   - what: The function in words: "the drain".
///   - limit: How long to wait.
///   - sourceLocation: The place that a failure is reported for.
///   - body: The closure. If it does not return, its task goes on behind the test.
/// - Returns: Whether it has returned.
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

/// The pauses between two checks of something that another thread does. At first, every ready task gets a turn; then
/// the pauses grow to 50 ms.
struct Pauses {
    private let end: ContinuousClock.Instant
    private var count = 0

    /// - Parameter limit: The time for which pauses are made. It is longer if the machine is so busy that few pauses were made.
    init(_ limit: Duration) { end = .now + limit }

    /// Makes the next pause.
    ///
    /// - Returns: Whether there is time left.
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
