import Dispatch

/// A state machine that appends its actions to an array instead of performing them.
protocol ActingMachine: Sendable {
    associatedtype Action: Sendable

    /// The requested actions in order, which the performer removes.
    var actions: [Action] { get set }
}

/// Shares a state machine between threads, and performs its actions in the order in which they were requested.
///
/// One thread at a time performs actions, including the actions that other threads request, and holds no lock while it
/// does. If there is a queue, it is a thread of the queue.
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

    /// Changes the machine, and performs the requested actions unless another thread already performs actions.
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
