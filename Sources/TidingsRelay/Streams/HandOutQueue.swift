import Dispatch
import Tidings

/// Calls the observers of a route in order, on a thread that nothing else waits for.
///
/// The thread that reads the connection only records messages, so the relay can extend the leases of messages that are
/// queued behind a slow observer.
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
        // The two arrays are swapped, so that neither is allocated for each message.
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
