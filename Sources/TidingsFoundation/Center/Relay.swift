import Foundation
import Synchronization

/// Brings what Foundation's center posts under one name to a native center of its own, which has the observers.
///
/// Foundation calls its blocks in no particular order, keeps those of dead senders, and knows neither owners nor equality.
/// So there is one block for each name, and the native center decides who is called: its promises are kept on
/// Foundation's center too.
///
/// Foundation's center owns the block, the block its relay, and the relay the observers; nothing refers back but weakly.
/// When the center goes, everything goes. When the last observer goes, the block is removed.
final class Relay: Sendable {
    private static let registrationCount = Atomic<Int>(0)

    /// How many observers were registered in all relays, ever.
    static var registrations: Int { registrationCount.load(ordering: .relaxed) }

    let key: Relays.Key
    private let inner: InnerCenter

    /// Foundation's center.
    var center: NotificationCenter? { inner.outer }

    private var posts: NativeNotificationCenter { inner.posts }

    init(center: NotificationCenter, key: Relays.Key) {
        self.key = key
        inner = InnerCenter(of: center, name: key.name)
    }

    deinit { Relays.forget(self) }

    /// Hands a notification to the observers; again on the main actor, if some belong there and this is not it.
    func receive(_ notification: Notification) {
        #if TSAN
            Relays.synchronize()
        #endif
        let post = IncomingPost(notification, monitoring: posts.monitoring)
        posts.post(post, from: post.place)
        if post.isAwaitedOnMainActor {
            NotificationReport(postedOffMainActor: notification.name).send(to: posts.monitoring)
            // By its name the notification claims to be the main actor's, so what is in it is for nobody else to use. It is
            // what a Foundation observer with the main queue does. The post itself is a new one, used only there.
            nonisolated(unsafe) let late = IncomingPost(late: post)
            DispatchQueue.main.async { unsafe self.posts.post(late, from: late.place) }
        }
    }

    /// Registers an observer, which keeps the lease until it is released.
    func observe(
        sender: SenderFilter<Any?>, registration: ObserverRegistration, lease: Lease,
        using observer: @escaping @Sendable (IncomingPost) -> Void
    ) -> RelayedObservation {
        let number = Self.registrationCount.add(1, ordering: .relaxed).newValue
        let observation = posts.observe(IncomingPost.self, sender: sender, registration: registration) { post in
            // The observer's closure holds the lease: whatever ends the observation releases both.
            withExtendedLifetime(lease) {
                if number <= post.horizon { observer(post) }
            }
        }
        return RelayedObservation(observation: observation, foundationCenter: key.center)
    }
}

/// An observer's hold on its relay: when the last one is let go, Foundation's center drops the relay.
final class Lease: Sendable {
    private weak let relay: Relay?

    init(_ relay: Relay) { self.relay = relay }

    deinit {
        if let relay { Relays.end(relay) }
    }
}

/// An observation of Foundation's center: the relay's own, under the name of the center that the user knows.
struct RelayedObservation: ObserverHandle {
    let observation: any ObserverHandle
    let foundationCenter: ObjectIdentifier

    /// The relay's center goes with Foundation's.
    var center: ObjectIdentifier? { observation.center == nil ? nil : foundationCenter }
    var isActive: Bool { observation.isActive }
    func cancel() { observation.cancel() }
    func drain() async { await observation.drain() }
}
