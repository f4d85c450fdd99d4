import Synchronization
import Tidings

/// A center that forwards to another one and counts what passes.
final class CountingCenter: TypedNotificationCenter {
    private let base: any TypedNotificationCenter
    private let postCount = Atomic(0)
    private let deliveryCount = Atomic(0)

    /// Makes a center that forwards to `base`.
    init(forwardingTo base: any TypedNotificationCenter) { self.base = base }

    /// How many notifications were posted.
    var posts: Int { postCount.load(ordering: .relaxed) }

    /// How many times an observer was called for one.
    var deliveries: Int { deliveryCount.load(ordering: .relaxed) }

    @discardableResult
    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let calls = base.post(notification, from: place)
        postCount.add(1, ordering: .relaxed)
        deliveryCount.add(calls, ordering: .relaxed)
        return calls
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        base.observe(type, sender: sender, registration: registration, using: observer)
    }
}
