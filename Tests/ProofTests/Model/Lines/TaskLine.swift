import Tidings

/// An observer in a task. Each of its calls is suspended until the test runs it.
final class TaskLine: Line {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var calls = 0
        var isOver = false
    }

    private let state = Lock(State())

    /// Whether a call has begun and is suspended.
    var standsStill: Bool { state.withLock { $0.continuation != nil } }
    private var calls: Int { state.withLock { $0.calls } }

    /// Suspends the call until the test runs it.
    ///
    /// - Returns: `false` if the world has ended.
    func standStill() async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return !state.withLock { $0.isOver }
    }

    func noteCall() { state.withLock { $0.calls += 1 } }

    func run(_ count: Int, in world: World) async {
        for _ in 0..<count {
            await world.wait { standsStill }
            let before = calls
            state.withLock { $0.continuation.take() }?.resume()
            await world.wait { calls > before }
        }
    }

    func end() {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume()
    }
}
