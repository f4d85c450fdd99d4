import Tidings

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
        // The observation is released after the unlock, because the release may run a user's `deinit`.
        _ = state.withLock { $0.observations.removeValue(forKey: observation.number) }
    }

    func removeObservers(of owner: AnyObject) {
        // The lock isn't held, because accessing a weakly referenced owner may release its last reference.
        for observation in state.withLock({ Array($0.observations.values) }) {
            let registration = observation.receiver.registration
            guard registration.owner?.refers(to: owner) == true else { continue }
            observation.cancel()
            registration.discardQueue()
        }
    }

    /// The observers that a post can still reach. Reading this property removes the others.
    var active: [Receiver] {
        let all = state.withLock { Array($0.observations.values) }.sorted { $0.number < $1.number }
        for observation in all where !observation.isActive { remove(observation) }
        return all.filter(\.isActive).map(\.receiver)
    }
}

final class RecordedObservation: NumberedObservation {
    let receiver: Receiver
    let number: Int
    private let base: any ObserverHandle
    private let deliveries: Deliveries
    private weak let recorder: RecordingNotificationCenter?

    init(_ base: any ObserverHandle, receiver: Receiver, number: Int, of recorder: RecordingNotificationCenter) {
        self.base = base
        self.receiver = receiver
        self.number = number
        self.recorder = recorder
        deliveries = recorder.deliveries
    }

    var center: ObjectIdentifier? { base.center == nil ? nil : recorder.map { ObjectIdentifier($0) } }
    package var numbers: [UInt64] { base.knownNumbers }
    package var isCalled: Bool { base.mayBeCalled }
    var isActive: Bool { base.isActive && receiver.registration.owner?.isAlive != false }

    func cancel() { end(.cancelled) }

    func end(_ reason: ObservationEndReason) {
        base.end(reason)
        deliveries.discard(for: receiver)
        recorder?.observerList.remove(self)
    }

    func drain() async { await base.drain() }
}
