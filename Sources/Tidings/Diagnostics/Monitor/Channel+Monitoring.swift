extension Channel {
    /// Notes whether there are monitors, and shows the observers to one that is new.
    final func refreshMonitoring(_ new: AttachedMonitor?) {
        let known = withState { state -> [(entry: Entry, registration: ObserverRegistration)] in
            state.isMonitored = monitoring.isActive
            publish(state, everyone)
            return state.rosters(with: everyone).flatMap { $0.liveEntries() }.map { entry in
                entry.chunk.retain()
                return (entry, entry.chunk.registration(entry.index))
            }
        }
        for (entry, registration) in known {
            let observer = ObserverDescription(entry.word, of: subject, registration)
            registration.queue?.follow(QueueWatcher(observer, monitoring))
            if let new, let owner = registration.owner { new.track(observer, owner: owner) }
            entry.chunk.release()
        }
    }

    /// Tells the monitors of an observer that was added.
    final func didAdd(_ entry: Entry, _ registration: ObserverRegistration) {
        let observer = ObserverDescription(entry.word, of: subject, registration)
        registration.queue?.follow(QueueWatcher(observer, monitoring))
        for monitor in monitoring.current {
            if let owner = registration.owner { monitor.track(observer, owner: owner) }
            monitor.receive(.registered(observer))
        }
    }

    /// The observer of an entry; `nil` if it has ended.
    final func observer(_ entry: Entry) -> ObserverDescription? {
        let registration = withState { _ in
            entry.isLive ? entry.chunk.registration(entry.index) : nil
        }
        return registration.map { ObserverDescription(entry.word, of: subject, $0) }
    }
}
