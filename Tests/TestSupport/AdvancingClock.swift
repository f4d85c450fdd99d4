package import Testing
package import TidingsTesting

extension ManualClock {
    /// Advances the clock in steps until a value is as expected. After a minute, fails the test and shows the value.
    ///
    /// `awaited` describes the expected state for the message, such as "the observer has ended". The value is evaluated
    /// before each step.
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
                for _ in 0..<20 { await Task.yield() }
                steps += 1
                isInTime = steps < 200 || ContinuousClock.now < end
            } else {
                isInTime = await pauses.next()
            }
            guard isInTime else {
                Issue.record(
                    "Not within \(limit) (the clock shows \(now.offset)): \(awaited). The last value was \(last).",
                    sourceLocation: sourceLocation)
                return false
            }
        }
    }
}
