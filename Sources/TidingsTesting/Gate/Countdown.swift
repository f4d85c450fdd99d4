import Tidings

/// Waits until everything that was counted has finished.
final class Countdown: Sendable {
    private struct State {
        var count = 0
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    func add() {
        state.withLock { $0.count += 1 }
    }

    func subtract() {
        let continuation = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.waiting.take() : nil
        }
        continuation?.resume()
    }

    /// Returns when the count is zero. Called once.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isZero = state.withLock { state in
                if state.count > 0 { state.waiting = continuation }
                return state.count == 0
            }
            if isZero { continuation.resume() }
        }
    }
}
