import Foundation

extension NotificationCenter {
    /// Registers an observer for everything that is posted under a name, in the post.
    func relay(
        _ name: Notification.Name, from sender: Any?, registration: Registration,
        using observer: @escaping @Sendable (IncomingPost) -> Void
    ) -> RelayedObservation {
        let (relay, lease) = Relays.lease(self, name)
        return relay.observe(sender: sender, registration: registration, lease: lease, using: observer)
    }

    /// Registers an observer that runs on the main actor: in the post if it is made there, otherwise afterwards.
    func relayOnMainActor(
        _ name: Notification.Name, from sender: Any?, registration: Registration,
        using observer: @escaping @MainActor (IncomingPost) -> Void
    ) -> any Observation {
        let late = QueueDelivery<LatePost>(schedule: { work in DispatchQueue.main.async(execute: work) }) { late in
            // The main queue is the main actor's.
            MainActor.assumeIsolated { observer(late.post) }
        }
        let observation = relay(name, from: sender, registration: registration) { post in
            if MainThread.isCurrent {
                // Nothing crosses an isolation boundary: the post is synchronous, and this is the main actor.
                nonisolated(unsafe) let post = post
                MainActor.assumeIsolated { unsafe observer(post) }
            } else {
                post.report(NotificationReport(postedOffMainActor: name))
                late.send(LatePost(post: post))
            }
        }
        return QueuedObservation(observation: observation, delivery: late)
    }
}

/// A post that belongs to the main actor, on its way there from where it was made against the rule.
///
/// Its poster claims by its name that it is the main actor's, so that nobody else uses what is in it; it is what
/// Foundation's own main queue observers do. The post itself is new with each delivery.
private struct LatePost: @unchecked Sendable {
    let post: IncomingPost
}
