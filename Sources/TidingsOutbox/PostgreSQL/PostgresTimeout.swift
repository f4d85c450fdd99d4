/// Runs an operation, and throws if the database hasn't responded for `limit`. In that case, the operation continues,
/// and `discard` receives its value. `silence` returns the time since the last response to another operation.
func withTimeout<Value: Sendable>(
    _ limit: Duration, silence: @escaping @Sendable () async -> Duration = { .seconds(1_000_000_000) },
    discarding discard: @escaping @Sendable (Value) async -> Void = { _ in },
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let answer = FirstAnswer<Value>()
    return try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        let began = ContinuousClock.now
        let timer = Task.detached {
            var left = limit
            while left > .zero {
                try? await Task.sleep(for: left)
                if Task.isCancelled { return }
                left = limit - min(began.duration(to: .now), await silence())
            }
            answer.resume(.failure(OutboxError(.unreachable, "the database has not responded for \(limit)")))
        }
        Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            timer.cancel()
            if !answer.resume(result), case .success(let value) = result { await discard(value) }
        }
    }
}

private final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting = Lock<CheckedContinuation<Value, any Error>?>(nil)

    func wait(_ continuation: CheckedContinuation<Value, any Error>) { waiting.withLock { $0 = continuation } }

    @discardableResult
    func resume(_ result: Result<Value, any Error>) -> Bool {
        guard let continuation = waiting.withLock({ $0.take() }) else { return false }
        continuation.resume(with: result)
        return true
    }
}
