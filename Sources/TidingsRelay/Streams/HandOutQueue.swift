import Dispatch

/// Calls the observers of a route in order, on a thread that nothing else waits for.
///
/// So a slow observer doesn't delay the thread that reads the connection and records messages.
final class HandOutQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isAtWork = false
    }

    private let state = Lock(State())
    private let queue: DispatchQueue

    init(_ name: String) { queue = DispatchQueue(label: "tidings.relay \(name)") }

    func add(_ closure: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            state.waiting.append(closure)
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
        if begins { queue.async { self.work() } }
    }

    private func work() {
        var closures: [@Sendable () -> Void] = []
        while true {
            state.withLock { state in
                swap(&state.waiting, &closures)
                if closures.isEmpty { state.isAtWork = false }
            }
            if closures.isEmpty { return }
            for closure in closures { closure() }
            closures.removeAll(keepingCapacity: true)
        }
    }
}
