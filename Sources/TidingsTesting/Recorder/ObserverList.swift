import Tidings

/// The observers that are registered with a recorder, in the order in which they were.
final class ObserverList: Sendable {
    private struct State {
        var lastNumber = 0
        var observations: [Int: RecordedObservation] = [:]
    }

    private let state = Lock(State())

    func add(
        _ receiver: Receiver, _ base: any ObserverHandle, of recorder: RecordingNotificationCenter
    ) -> RecordedObservation {
        state.withLock { state in
            state.lastNumber += 1
            let observation = RecordedObservation(base, receiver: receiver, number: state.lastNumber, of: recorder)
            state.observations[state.lastNumber] = observation
            return observation
        }
    }

    func remove(_ observation: RecordedObservation) {
        let removed = state.withLock { $0.observations.removeValue(forKey: observation.number) }
        _ = removed
    }

    /// Those that a post can still reach. The others are forgotten.
    var active: [Receiver] {
        let all = state.withLock { Array($0.observations.values) }.sorted { $0.number < $1.number }
        for observation in all where !observation.isActive { remove(observation) }
        return all.filter(\.isActive).map(\.receiver)
    }
}

extension RecordingNotificationCenter {
    /// The observers that are registered, in the order in which they were.
    public var observers: [RecordedObserver] { observerList.active.map(RecordedObserver.init) }
}
