package import Testing
package import TidingsTesting

extension ManualClock {
    /// Advances the clock whenever a task sleeps until a value is as expected, and fails the test with the last value if it is not within a
    /// minute.
    ///
    /// - Parameters:
    ///   - awaited: What is awaited, in words: "the observer has ended".
    ///   - step: The duration by which to advance each time.
    ///   - limit: How long to try.
    ///   - sourceLocation: The place that a failure is reported for.
    ///   - value: The value. It is evaluated before each step.
    ///   - isExpected: Whether a value is as expected.
    /// - Returns: Whether the value is as expected.
    @discardableResult
    package func advance<Value>(
        _ awaited: String, by step: Duration = .milliseconds(100), within limit: Duration = .seconds(60),
        sourceLocation: SourceLocation = #_sourceLocation, _ value: () async throws -> Value,
        until isExpected: (Value) -> Bool
    ) async rethrows -> Bool {
        let end = ContinuousClock.now + limit
        var pauses = Pauses(limit)
        var steps = 0
        while true {
            let last = try await value()
            if isExpected(last) { return true }
            let isInTime: Bool
            if sleepers > 0 {
                advance(by: step)
                // The tasks that were woken up run, and sleep again.
                for _ in 0..<20 { await Task.yield() }
                steps += 1
                isInTime = steps < 200 || ContinuousClock.now < end
            } else {
                isInTime = await pauses.next()
            }
            guard isInTime else {
                Issue.record(
                    "Not within \(limit), at \(now.offset) of the clock: \(awaited). The last value was \(last).",
                    sourceLocation: sourceLocation)
                return false
            }
        }
    }
}
