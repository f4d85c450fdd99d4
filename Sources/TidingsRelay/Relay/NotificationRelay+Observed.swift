import Tidings

// A route takes nothing while nobody would be called with it: what a stream has stays there, and other members of a group get their work.

extension NotificationRelay {
    /// Whether anybody but the relay observes a type, or its notifications with their origin.
    ///
    /// Only the native center knows all its observers. Of another one it is taken that somebody does.
    func isObserved<N: RemoteNotification>(_ type: N.Type) -> Bool {
        guard let native else { return true }
        // Looked at first, as this takes no lock.
        guard native.mayBeObserved(N.self) || native.mayBeObserved(RelayedNotification<N>.self) else { return false }
        let own = state.withLock { $0.observed[ObjectIdentifier(N.self)] } == nil ? 0 : 1
        var count = 0
        for observation in native.observations {
            if observation.subject.type == N.self { count += 1 }
            if observation.subject.type == RelayedNotification<N>.self { return true }
        }
        return count > own
    }

    /// Whether the other members of a group get what is transient, as nobody observes it here.
    func leavesToOthers(_ route: ActiveRoute) -> Bool {
        route.reading == nil && route.route.group != nil && !route.route.taking.takesUnobserved
            && !route.route.isObserved(self)
    }

    /// Has those routes take something that somebody observes by now.
    func lookForObservers() {
        for route in routes {
            guard let reading = route.reading, !reading.reader.update({ $0.isOpen }), route.route.isObserved(self)
            else { continue }
            reading.reader.update { $0.open(at: clock.now) }
        }
        let (link, unobserved) = state.withLock { ($0.link, $0.unobserved) }
        guard let link else { return }
        for route in unobserved where !leavesToOthers(route) {
            // If the link has ended, the next one subscribes.
            guard let subscription = try? subscribe(route, route.pattern, over: link) else { return }
            state.withLock { state in
                state.unobserved.removeAll { $0 === route }
                state.late.append(subscription)
            }
        }
    }
}
