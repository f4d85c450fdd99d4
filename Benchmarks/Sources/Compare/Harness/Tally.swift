import Synchronization

/// Counts what a consumer got, and tells when that is as much as was sent.
final class Tally: Sendable {
    private struct State {
        var isReached = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let counted = Atomic<Int>(0)
    private let goal = Atomic<Int>(0)
    private let state = Mutex(State())

    /// How much the consumer got.
    var count: Int { counted.load(ordering: .acquiring) }

    /// Counts one more; called by the consumer, which is never in two places at once.
    @inline(__always)
    func add() {
        let count = counted.load(ordering: .relaxed) + 1
        counted.store(count, ordering: .releasing)
        if count == goal.load(ordering: .relaxed) { reach() }
    }

    /// Expects so much more; called when everything before has arrived.
    func expect(_ more: Int) {
        state.withLock { $0.isReached = false }
        goal.store(count + more, ordering: .releasing)
    }

    /// Returns when what was expected has arrived.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if !state.isReached { state.waiting = continuation }
                return state.isReached
            }
            if isReached { continuation.resume() }
        }
    }

    private func reach() {
        let waiting = state.withLock { state in
            state.isReached = true
            return state.waiting.take()
        }
        waiting?.resume()
    }
}
