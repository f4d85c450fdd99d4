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
        return native.observerCount(of: N.self) > own
            || native.observerCount(of: RelayedNotification<N>.self) > 0
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
        for route in state.withLock({ $0.unobserved }) where !leavesToOthers(route) {
            // Whoever takes it from the list subscribes, as several may look at once.
            let link = state.withLock { state in
                guard let link = state.link, let place = state.unobserved.firstIndex(where: { $0 === route })
                else { return nil as (any Link)? }
                state.unobserved.remove(at: place)
                return link
            }
            // If the link has ended, the next one subscribes.
            guard let link, let subscription = try? subscribe(route, route.pattern, over: link) else { continue }
            state.withLock { state in
                if state.link === link { state.late.append(subscription) }
            }
        }
    }
}
