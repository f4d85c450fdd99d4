import Foundation
import Synchronization

/// Brings what Foundation's center posts under one name to a native center, which has the observers.
///
/// Foundation calls its blocks in no particular order, keeps those of dead senders, and knows neither owners nor equality.
/// So there is one block for each name, and the native center decides which observers are called: its promises are kept on
/// Foundation's center too.
///
/// Foundation's center owns the block, the block its relay, and the relay the observers; nothing refers back but weakly.
final class Relay: Sendable {
    /// The observers that have come to a relay and have not been released.
    final class Members: Sendable {
        fileprivate let count = Atomic(0)

        /// Whether there are none. They come under the registry's lock, and may go at any time.
        var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }
    }

    /// An observer's membership in a relay, which ends when the observer's closure is released.
    final class Member: Sendable {
        private static let all = Atomic(0)

        /// How many observers became members of any relay, ever.
        static var count: Int { all.load(ordering: .relaxed) }

        /// How many there were when this one did, with itself.
        let number: Int

        private let members: Members

        init(of relay: Relay) {
            number = Self.all.add(1, ordering: .relaxed).newValue
            members = relay.members
            members.count.add(1, ordering: .relaxed)
        }

        deinit { members.count.subtract(1, ordering: .relaxed) }
    }

    let name: Notification.Name
    let observers: NativeNotificationCenter
    let members = Members()
    private let registry: CenterRegistry

    init(name: Notification.Name, registry: CenterRegistry) {
        self.name = name
        self.registry = registry
        observers = NativeNotificationCenter(name: name.rawValue, monitoring: registry.monitoring)
    }

    /// Hands a notification to the observers; again on the main actor, if some belong there and this is not it.
    func receive(_ notification: Notification) {
        #if TSAN
            CenterRegistry.synchronize()
        #endif
        // An observer that was registered before the post began is seen here: its count was raised before.
        if members.isEmpty { return registry.removeIfIdle(self) }
        let post = IncomingPost(notification, monitoring: registry.monitoring)
        observers.post(post, from: post.place)
        if post.isAwaitedOnMainActor { repeatOnMainActor(post) }
    }

    private func repeatOnMainActor(_ post: IncomingPost) {
        NotificationReport(postedOffMainActor: name).send(to: registry.monitoring)
        // By its name the notification claims to be the main actor's, so its contents belong to the main actor alone. A Foundation
        // observer with the main queue does the same. The post itself is a new one, used only there.
        nonisolated(unsafe) let late = IncomingPost(late: post)
        DispatchQueue.main.async { [observers] in unsafe observers.post(late, from: late.place) }
    }
}

/// The sender to which an observer on the main actor is limited, and the observation that ends with it.
///
/// The sender need not be `Sendable`. To compare it runs code of its own, and to look whether it is alive may release its last
/// reference, so both are done on the main actor alone: by the observer, where a native center would do it in every post.
final class MainActorLimit<Sender>: Sendable {
    private let filter: SenderFilter<Sender>
    private let observation = Lock<(any ObserverHandle)?>(nil)

    init?(_ filter: SenderFilter<Sender>) {
        guard filter.isLimited else { return nil }
        self.filter = filter
    }

    /// Whether the sender can still post. Off the main actor, where it is not looked at, it is taken to be alive.
    var isSenderAlive: Bool { !MainThread.isCurrent || filter.isSenderAlive }

    /// Names the observation that ends with the sender.
    func ends(_ observation: any ObserverHandle) { self.observation.withLock { $0 = observation } }

    /// Whether a post comes from the sender. The caller is on the main actor.
    func admits(_ post: IncomingPost) -> Bool {
        guard filter.isSenderAlive else {
            observation.withLock { $0.take() }?.end(.senderGone)
            return false
        }
        guard let sender = post.sender as? Sender else { return false }
        return filter.accepts(sender)
    }
}

extension NotificationCenter {
    /// Registers an observer for everything that is posted under a name, in the post.
    func relay(
        _ name: Notification.Name, from sender: SenderFilter<Any?>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (IncomingPost) -> Void
    ) -> RelayedObservation {
        addMember(of: name, from: sender, registration: registration) { member in
            { post in if post.reaches(member) { observer(post) } }
        }
    }

    /// Registers an observer that runs on the main actor: in the post if that is made there, otherwise afterwards.
    ///
    /// The filter is only looked at on the main actor; it was made there.
    func relayOnMainActor<Sender>(
        _ name: Notification.Name, from sender: SenderFilter<Sender>, registration: ObserverRegistration,
        using observer: @escaping @MainActor (IncomingPost) -> Void
    ) -> RelayedObservation {
        addMainActorMember(of: name, from: sender, registration: registration) { member, limit in
            { post in if post.reachesOnMainActor(member, limit) { post.callOnMainActor(observer) } }
        }
    }

    /// Registers the closure that is made for a member: the one closure between Foundation's block and the observer.
    func addMember(
        of name: Notification.Name, from sender: SenderFilter<Any?>, registration: ObserverRegistration,
        _ makeObserver: (Relay.Member) -> @Sendable (IncomingPost) -> Void
    ) -> RelayedObservation {
        let (relay, member) = CenterRegistry.of(self).enroll(in: name, of: self)
        let base = relay.observers.observe(
            IncomingPost.self, sender: sender, registration: registration, using: makeObserver(member))
        return RelayedObservation(base: base, foundationCenter: ObjectIdentifier(self))
    }

    /// Registers the closure that is made for a member on the main actor, and the sender to which it is limited.
    func addMainActorMember<Sender>(
        of name: Notification.Name, from sender: SenderFilter<Sender>, registration: ObserverRegistration,
        _ makeObserver: (Relay.Member, MainActorLimit<Sender>?) -> @Sendable (IncomingPost) -> Void
    ) -> RelayedObservation {
        let limit = MainActorLimit(sender)
        var observation = addMember(of: name, from: .everyone, registration: registration.with(sender: sender.words)) {
            member in
            makeObserver(member, limit)
        }
        if let limit {
            limit.ends(observation.base)
            observation.isSenderAlive = { limit.isSenderAlive }
        }
        return observation
    }
}

/// An observation of Foundation's center: that of a native center behind it, under the name of the one that the user knows.
struct RelayedObservation: ObserverHandle {
    let base: any ObserverHandle
    let foundationCenter: ObjectIdentifier

    /// Whether the sender can still post, if the native center does not know it.
    var isSenderAlive: (@Sendable () -> Bool)?

    /// The native center goes with Foundation's.
    var center: ObjectIdentifier? { base.center == nil ? nil : foundationCenter }
    var isActive: Bool { base.isActive && isSenderAlive?() != false }
    func cancel() { base.cancel() }
    func end(_ reason: EndReason) { base.end(reason) }
    func drain() async { await base.drain() }
}
