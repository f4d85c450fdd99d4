import Tidings

/// A state machine: it changes, and says what is to be done, and does nothing itself.
protocol ActingMachine: Sendable {
    associatedtype Action: Sendable

    /// What is to be done, in order. The performer takes it out.
    var actions: [Action] { get set }
}

/// Holds a state machine that threads share, and does what it asks for: in the order in which it asked, and with no lock held.
///
/// The thread that finds nobody at it does what is there, and what other threads add meanwhile.
final class Performer<Machine: ActingMachine>: Sendable {
    private struct State {
        var machine: Machine
        var isPerforming = false
    }

    private let state: Lock<State>
    private let perform: @Sendable (Performer, Machine.Action) -> Void

    init(_ machine: Machine, perform: @escaping @Sendable (Performer, Machine.Action) -> Void) {
        state = Lock(State(machine: machine))
        self.perform = perform
    }

    /// Changes the machine, and does what it asks for, unless another thread is at it and will.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout Machine) -> Result) -> Result {
        let (result, isMine) = state.withLock { state in
            let result = change(&state.machine)
            if state.isPerforming || state.machine.actions.isEmpty { return (result, false) }
            state.isPerforming = true
            return (result, true)
        }
        if isMine { performAll() }
        return result
    }

    private func performAll() {
        // The two arrays are exchanged, so that neither is allocated for each change.
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
