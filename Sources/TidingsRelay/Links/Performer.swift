import Dispatch

protocol ActingMachine: Sendable {
    associatedtype Action: Sendable

    var actions: [Action] { get set }
}

/// Performs a state machine's actions in order, one at a time, without holding a lock. The actions run on `queue` or,
/// if it is `nil`, on a thread that calls `update`.
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
        // The arrays are swapped and keep their memory, so appending actions rarely allocates.
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
