import Tidings

/// Something that is settled once, and waited for by one task.
final class Arrival<Value: Sendable>: Sendable {
    private struct State {
        var value: Value??
        var waiting: CheckedContinuation<Value?, Never>?
    }

    private let state = Lock(State())

    /// Settles it; only the first time counts.
    func settle(_ value: Value?) {
        let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            if state.value != nil { return nil }
            state.value = .some(value)
            return state.waiting.take()
        }
        continuation?.resume(returning: value)
    }

    var isSettled: Bool { state.withLock { $0.value != nil } }

    /// What it was settled with.
    var value: Value? {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state in
                    if state.value == nil { state.waiting = continuation }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
