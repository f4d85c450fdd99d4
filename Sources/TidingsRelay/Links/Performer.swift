import Dispatch

protocol ActingMachine: Sendable {
    associatedtype Action: Sendable

    var actions: [Action] { get set }
}

/// Performs a state machine's actions one at a time and in order, while no lock is held, on the queue if there is one.
final class Performer<Machine: ActingMachine>: Sendable {
    private struct State {
        var machine: Machine
        var isPerforming = false
    }

    private let state: Lock<State>
    private let queue: DispatchQueue?
    private let perform: @Sendable (Performer, Machine.Action) -> Void

    init(
        _ machine: Machine, on queue: DispatchQueue? = nil,
        perform: @escaping @Sendable (Performer, Machine.Action) -> Void
    ) {
        state = Lock(State(machine: machine))
        self.queue = queue
        self.perform = perform
    }

    @discardableResult
    func update<Result: Sendable>(_ change: (inout Machine) -> Result) -> Result {
        let (result, isMine) = state.withLock { state in
            let result = change(&state.machine)
            if state.isPerforming || state.machine.actions.isEmpty { return (result, false) }
            state.isPerforming = true
            return (result, true)
        }
        if isMine { if let queue { queue.async { self.performAll() } } else { performAll() } }
        return result
    }

    private func performAll() {
        // The two arrays are swapped, so that a change allocates no array.
        var actions: [Machine.Action] = []
        while true {
            state.withLock { state in
                swap(&state.machine.actions, &actions)
                if actions.isEmpty { state.isPerforming = false }
            }
            if actions.isEmpty { return }
            for action in actions { perform(self, action) }
            actions.removeAll(keepingCapacity: true)
        }
    }
}
