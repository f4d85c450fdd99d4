package import Tidings

/// A center written from scratch, as a user would write it. Except for `Lock`, it uses only public API.
package final class SimpleCenter: TypedNotificationCenter {
    private let observations = Lock<[SimpleObservation]>([])

    package init() {}

    deinit {
        for observation in observations.withLock({ $0 }) { observation.cancel() }
    }

    package func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        sweep()
        return observations.withLock { $0 }.count { $0.accepts(notification) && $0.call(notification) }
    }

    package func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        sweep()
        let observation = SimpleObservation(
            type, sender: sender, registration: registration, center: self, using: observer)
        observations.withLock { $0.append(observation) }
        return observation
    }

    package func removeObservers(of owner: AnyObject) {
        for observation in observations.withLock({ $0 }) where observation.isTied(to: owner) {
            observation.cancel()
            observation.registration.discardQueue()
        }
    }

    package var count: Int { observations.withLock { $0.count } }

    func remove(_ observation: SimpleObservation) {
        observations.withLock { $0.removeAll { $0 === observation } }
    }

    private func sweep() {
        for observation in observations.withLock({ $0.filter { !$0.isActive } }) { observation.cancel() }
    }
}
