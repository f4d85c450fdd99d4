import Foundation

/// Forwards posts with one name from Foundation's center to a native center, which has the observers of the name.
///
/// Foundation calls its blocks in no particular order, keeps blocks that are limited to a deallocated sender, and
/// supports neither owners nor senders that are values. So there is a single block for each name, and the native center
/// decides which observers are called. Foundation's center owns the block, the block owns its forwarder, and the
/// forwarder owns the observers. References in the other direction are weak.
final class NameForwarder: Sendable {
    final class Members: Sendable {
        fileprivate let count = Atomic(0)

        /// Whether the name has no observers. `true` can become `false` only under the registry's lock.
        var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }
    }

    /// Counts one observer. The observer's closure owns the member, so both are deallocated together.
    final class Member: Sendable {
        private static let all = Atomic(0)

        static var count: Int { all.load(ordering: .relaxed) }

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

    func receive(_ notification: Notification) {
        #if TSAN
            CenterRegistry.synchronize()
        #endif
        // `members` counts every observer that was registered before the post, so no such observer misses the post.
        if members.isEmpty { return registry.removeIfIdle(self) }
        let post = IncomingPost(notification, in: registry)
        observers.post(post, from: post.place)
        post.tellCalls(in: registry)
        if post.isAwaitedOnMainActor { repeatOnMainActor(post) }
    }

    /// Passes a notification to the given observers, and returns how many were called.
    func receive(_ notification: Notification, for numbers: [UInt64]) -> Int {
        let post = IncomingPost(notification, in: registry)
        _ = observers.post(post, toOwn: numbers, from: post.place)
        return post.calls
    }

    private func repeatOnMainActor(_ post: IncomingPost) {
        NotificationReport(.postedOffMainActor, of: name.rawValue).send(to: registry.monitoring)
        // Nothing else refers to the new object, and observers use its content only on the main actor.
        nonisolated(unsafe) let late = IncomingPost(late: post)
        DispatchQueue.main.async { [observers] in unsafe observers.post(late, from: late.place) }
    }
}
