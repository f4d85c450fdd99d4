import Synchronization

final class Tally: Sendable {
    private struct State {
        var isReached = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let counted = Atomic<Int>(0)
    private let goal = Atomic<Int>(0)
    private let state = Mutex(State())

    var count: Int { counted.load(ordering: .acquiring) }

    /// Counts a message. Only the consumer calls this, one call at a time.
    @inline(__always)
    func add() {
        let count = counted.load(ordering: .relaxed) + 1
        counted.store(count, ordering: .releasing)
        if count == goal.load(ordering: .relaxed) { reach() }
    }

    /// Makes `wait` return after `more` further messages. Call this when all earlier messages have arrived.
    func expect(_ more: Int) {
        state.withLock { $0.isReached = false }
        goal.store(count + more, ordering: .releasing)
    }

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
