import TidingsEngine

/// A post of a type that is replayed, with the numbers by which the center and its monitors identify it.
///
/// Only the subclass ``KeptNotification``, which knows the type, is instantiated. An object is created for one post.
/// While it isn't ``isShared``, no registration refers to it, so a later post from the same sender reuses it instead of
/// allocating a new one.
@usableFromInline
class KeptPost: @unchecked Sendable {  // atomic, or under the lock of `LatestNotifications`
    /// The number of the post among all posts of the type in the center. ``LatestNotifications`` sets it under its lock
    /// before another thread has the post. Relaxed, because a thread receives the post from another one through a lock.
    private final let place: Atomic<UInt64>

    /// The number by which monitors identify the post; 0 until a monitor has received it. Relaxed, because nothing else
    /// depends on it.
    private final let known = Atomic<UInt64>(0)

    /// How often the post was handed over.
    private final let handedOver = Atomic<UInt64>(0)

    /// Whether anything other than ``LatestNotifications`` refers to the post. From then on it doesn't change. Accessed
    /// under its lock.
    final var isShared: Bool

    @usableFromInline
    init(number: UInt64 = 0, isShared: Bool = false) {
        place = Atomic(number)
        self.isShared = isShared
    }

    /// The number of the post among all posts of the type in the center.
    final var number: UInt64 { place.load(ordering: .relaxed) }

    final func note(number: UInt64) { place.store(number, ordering: .relaxed) }

    /// Records the number by which monitors identify the post that this thread is making, if it has begun. `outer` is
    /// the number of the enclosing post.
    final func noteNumber(within outer: UInt64) {
        let number = NumberedPost.current
        if number != outer { known.store(number, ordering: .relaxed) }
    }

    /// Begins the hand-over of the post on this thread. Its deliveries get numbers that no post reaches.
    final func beginAgain(toldTo monitoring: Monitoring) -> NumberedPost {
        let times = handedOver.wrappingAdd(1, ordering: .relaxed).newValue
        return NumberedPost(
            again: known.load(ordering: .relaxed), after: times << 32, toldTo: ObjectIdentifier(monitoring),
            in: MonitoredTask.current.delivery)
    }
}

/// A post of a type that is replayed, combined in one object with the stored content of its notification.
@usableFromInline
class KeptNotification<N: TypedNotification>: KeptPost, @unchecked Sendable {  // as in the base class
    @usableFromInline
    override init(number: UInt64 = 0, isShared: Bool = false) { super.init(number: number, isShared: isShared) }

    /// The notification, stored or created again with its sender, if that is an object.
    func notification(from sender: AnyObject?) -> N {
        preconditionFailure("a subclass has to override notification(from:)")
    }
}

/// A notification that is stored unchanged, as for most types.
@usableFromInline
// `notification` changes under a lock, and only while nothing else refers to the object.
final class WholeNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {
    /// Changes under the lock of ``LatestNotifications``, and only while the post isn't shared. So accesses don't
    /// overlap, and the runtime doesn't have to check that.
    @exclusivity(unchecked) @usableFromInline var notification: N

    @export(implementation)
    init(_ notification: N, isShared: Bool = false) {
        unsafe self.notification = notification
        super.init(number: 0, isShared: isShared)
    }

    override func notification(from sender: AnyObject?) -> N { unsafe notification }

    /// Exchanges the stored notification. Both are moved, so no user code runs.
    @export(implementation)
    @inline(__always)
    func exchange(with other: inout N) { unsafe swap(&notification, &other) }
}

/// A notification that is stored without its sender.
// Immutable.
final class SenderlessNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {
    private let make: @Sendable (AnyObject?) -> N

    /// Stores the content that the keeper extracts, and the sender if it is a value.
    init(_ notification: N, from sender: N.Sender, keptBy keeper: NotificationKeeper<N>) {
        let content = Content(join: keeper.keep(notification), value: sender)
        if case .object = N.tag(of: sender) {
            make = { [join = content.join] object in
                guard let sender = object as? N.Sender else {
                    preconditionFailure("the stored sender has another type")
                }
                return join(sender)
            }
        } else {
            make = { _ in content.join(content.value) }
        }
        super.init(isShared: true)
    }

    override func notification(from sender: AnyObject?) -> N { make(sender) }

    /// The closure that combines the content with a sender, and the sender.
    private struct Content: @unchecked Sendable {  // a replayed type and its sender are `Sendable`
        let join: @Sendable (N.Sender) -> N
        let value: N.Sender
    }
}
