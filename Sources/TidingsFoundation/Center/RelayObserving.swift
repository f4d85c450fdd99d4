import Foundation

extension NotificationCenter {
    /// Registers an observer for everything that is posted under a name, in the post.
    func relay(
        _ name: Notification.Name, from sender: SenderFilter<Any?>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (IncomingPost) -> Void
    ) -> RelayedObservation {
        let (relay, lease) = Relays.lease(self, name)
        return relay.observe(sender: sender, registration: registration, lease: lease) { post in post.call(observer) }
    }

    /// Registers an observer that runs on the main actor: in the post if that is made there, otherwise afterwards.
    func relayOnMainActor(
        _ name: Notification.Name, from sender: SenderFilter<Any?>, registration: ObserverRegistration,
        using observer: @escaping @MainActor (IncomingPost) -> Void
    ) -> RelayedObservation {
        let (relay, lease) = Relays.lease(self, name)
        return relay.observe(sender: sender, registration: registration, lease: lease) { post in
            post.callOnMainActor(observer)
        }
    }
}
