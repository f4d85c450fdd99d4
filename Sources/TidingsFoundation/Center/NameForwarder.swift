import Foundation

/// Brings what Foundation's center posts under one name to a native center, which has the observers.
///
/// Foundation calls its blocks in no particular order, keeps those of dead senders, and knows neither owners nor equality.
/// So there is one block for each name, and the native center decides which observers are called: its promises are kept on
/// Foundation's center too.
///
/// Foundation's center owns the block, the block its forwarder, and the forwarder the observers; nothing refers back but weakly.
final class NameForwarder: Sendable {
    /// The observers that have come to a forwarder and have not been released.
    final class Members: Sendable {
        fileprivate let count = Atomic(0)

        /// Whether there are none. They come under the registry's lock, and may go at any time.
        var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }
    }

    /// An observer's membership in a forwarder, which ends when the observer's closure is released.
    final class Member: Sendable {
        private static let all = Atomic(0)

        /// How many observers became members of any forwarder, ever.
        static var count: Int { all.load(ordering: .relaxed) }

        /// How many there were when this one did, with itself.
        let number: Int

        private let members: Members

        init(of forwarder: NameForwarder) {
            number = Self.all.wrappingAdd(1, ordering: .relaxed).newValue
            members = forwarder.members
            members.count.wrappingAdd(1, ordering: .relaxed)
        }

        deinit { members.count.wrappingSubtract(1, ordering: .relaxed) }
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
        post.tellCalls()
        if post.isAwaitedOnMainActor { repeatOnMainActor(post) }
    }

    private func repeatOnMainActor(_ post: IncomingPost) {
        NotificationReport(postedOffMainActor: name).send(to: registry.monitoring)
        // By its name the notification claims to be the main actor's, so its contents belong to the main actor alone. A
        // Foundation observer with the main queue does the same. The post itself is a new one, used only there.
        nonisolated(unsafe) let late = IncomingPost(late: post)
        DispatchQueue.main.async { [observers] in unsafe observers.post(late, from: late.place) }
    }
}
