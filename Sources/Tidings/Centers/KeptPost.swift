import TidingsEngine

/// The numbers of a post of a replayed type. A stored post is a ``KeptNotification``, a subclass that also provides the
/// notification. While ``isShared`` is `false`, a later post from the same sender may reuse the object.
@usableFromInline
class KeptPost: @unchecked Sendable {  // atomic, or under the lock of `LatestNotifications`
    /// The number among all posts of the type in the center, set under the lock of ``LatestNotifications`` before other
    /// threads can access the post. Accesses are relaxed, because posts pass between threads through a lock.
    private final let place: Atomic<UInt64>

    /// The post's number for monitors; 0 if no monitor received the post. Relaxed, because the number publishes no
    /// other data.
    private final let known = Atomic<UInt64>(0)

    private final let handedOver = Atomic<UInt64>(0)

    /// Whether an object besides ``LatestNotifications`` refers to the post. A shared post mustn't change.
    final var isShared: Bool

    @usableFromInline
    init(number: UInt64 = 0, isShared: Bool = false) {
        place = Atomic(number)
        self.isShared = isShared
    }

    final var number: UInt64 { place.load(ordering: .relaxed) }

    final func note(number: UInt64) { place.store(number, ordering: .relaxed) }

    /// Stores the number under which monitors received this post. `outer` is the number of the enclosing post. If
    /// `outer` is still the current number, no monitor received this post.
    final func noteNumber(within outer: UInt64) {
        let number = NumberedPost.current
        if number != outer { known.store(number, ordering: .relaxed) }
    }

    /// Begins a further delivery of the stored post. The delivery gets a higher number than the original deliveries.
    final func beginAgain(toldTo monitoring: Monitoring) -> NumberedPost {
        let times = handedOver.wrappingAdd(1, ordering: .relaxed).newValue
        return NumberedPost(
            again: known.load(ordering: .relaxed), after: times << 32, toldTo: ObjectIdentifier(monitoring),
            in: MonitoredTask.current.delivery)
    }
}

@usableFromInline
class KeptNotification<N: TypedNotification>: KeptPost, @unchecked Sendable {  // as in the base class
    @usableFromInline
    override init(number: UInt64 = 0, isShared: Bool = false) { super.init(number: number, isShared: isShared) }

    func notification(from sender: AnyObject?) -> N {
        preconditionFailure("a subclass has to override notification(from:)")
    }
}

@usableFromInline
// `notification` changes only under the lock of `LatestNotifications`, while `isShared` is `false`.
final class WholeNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {
    /// Accesses don't overlap, because no other object refers to the post while the notification changes.
    @exclusivity(unchecked) @usableFromInline var notification: N

    @export(implementation)
    init(_ notification: N, isShared: Bool = false) {
        unsafe self.notification = notification
        super.init(number: 0, isShared: isShared)
    }

    override func notification(from sender: AnyObject?) -> N { unsafe notification }

    /// Exchanges the stored notification for `other`, under a lock. The exchange copies nothing, so no user code runs.
    @export(implementation)
    @inline(__always)
    func exchange(with other: inout N) { unsafe swap(&notification, &other) }
}

// All properties are immutable and `Sendable`.
final class SenderlessNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {
    private let make: @Sendable (AnyObject?) -> N

    init(_ notification: N, from sender: N.Sender, keptBy keeper: NotificationKeeper<N>) {
        let join = keeper.keep(notification)
        if case .object = N.tag(of: sender) {
            make = { object in
                guard let sender = object as? N.Sender else {
                    preconditionFailure("the stored sender has another type")
                }
                return join(sender)
            }
        } else {
            // A replayed type and its sender are `Sendable`.
            nonisolated(unsafe) let sender = sender
            make = { _ in unsafe join(sender) }
        }
        super.init(isShared: true)
    }

    override func notification(from sender: AnyObject?) -> N { make(sender) }
}
