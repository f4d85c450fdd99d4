import TidingsEngine

/// A post of a type that is replayed, with the numbers by which the center and its monitors know it.
///
/// What is kept is a ``KeptNotification``, which knows the type. It is made for one post, and a later one from the same sender takes its
/// place, as long as it is not ``isShared``: then no registration has it, and nothing has to be allocated.
@usableFromInline
class KeptPost: @unchecked Sendable {  // atomic, or under the lock of `LatestNotifications`
    /// How many posts of the type there were in the center, with this one. ``LatestNotifications`` sets it, under its lock, before
    /// another thread has the post. Relaxed, as whoever gets the post from another thread gets it by way of a lock.
    private final let place: Atomic<UInt64>

    /// The number by which monitors know the post; 0 as long as none was told of it. Relaxed, as nothing else depends on it.
    private final let known = Atomic<UInt64>(0)

    /// How often it was handed over.
    private final let handedOver = Atomic<UInt64>(0)

    /// Whether anything but ``LatestNotifications`` has the post, which does not change from then on; under its lock.
    final var isShared: Bool

    /// - Parameters:
    ///   - number: The number of the post, if it has one.
    ///   - isShared: Whether the caller goes on to use it when it is kept.
    @usableFromInline
    init(number: UInt64 = 0, isShared: Bool = false) {
        place = Atomic(number)
        self.isShared = isShared
    }

    /// How many posts of the type there were in the center, with this one.
    final var number: UInt64 { place.load(ordering: .relaxed) }

    /// Notes how many posts of the type there were in the center, with this one.
    final func note(number: UInt64) { place.store(number, ordering: .relaxed) }

    /// Notes the number by which monitors know the post that this thread makes, if it has begun.
    ///
    /// - Parameter outer: The number of the post around it.
    final func noteNumber(within outer: UInt64) {
        let number = NumberedPost.current
        if number != outer { known.store(number, ordering: .relaxed) }
    }

    /// Begins to hand the post over on this thread. The deliveries get numbers that no post reaches.
    final func beginAgain(toldTo monitoring: Monitoring) -> NumberedPost {
        let times = handedOver.wrappingAdd(1, ordering: .relaxed).newValue
        return NumberedPost(
            again: known.load(ordering: .relaxed), after: times << 32, toldTo: ObjectIdentifier(monitoring),
            in: MonitoredTask.current.delivery)
    }
}

/// A post of a type that is replayed, with what is kept of its notification: in one object.
@usableFromInline
class KeptNotification<N: TypedNotification>: KeptPost, @unchecked Sendable {  // as above
    @usableFromInline
    override init(number: UInt64 = 0, isShared: Bool = false) { super.init(number: number, isShared: isShared) }

    /// The notification, as it was posted, or made again.
    ///
    /// - Parameter sender: Its sender, if that is an object.
    /// - Returns: The notification.
    func notification(from sender: AnyObject?) -> N { preconditionFailure("a subclass says what is kept") }
}

/// A notification as it was posted: for most types that is how it is kept.
@usableFromInline
// `notification` changes under a lock, and as long as nobody else has the object.
final class WholeNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {
    /// It changes under the lock of ``LatestNotifications``, and as long as the post is not shared. So accesses do not overlap, and the
    /// runtime need not look whether they do.
    @exclusivity(unchecked) @usableFromInline var notification: N

    @export(implementation)
    init(_ notification: N, isShared: Bool = false) {
        unsafe self.notification = notification
        super.init(number: 0, isShared: isShared)
    }

    override func notification(from sender: AnyObject?) -> N { unsafe notification }

    /// Takes another notification in the place of the one that is kept. Both are moved: no code of a user runs.
    @export(implementation)
    @inline(__always)
    func exchange(with other: inout N) { unsafe swap(&notification, &other) }
}

/// A notification that is kept without its sender.
// Immutable.
final class SenderlessNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {
    private let make: @Sendable (AnyObject?) -> N

    /// - Parameters:
    ///   - notification: The notification.
    ///   - sender: Its sender. It is kept if it is a value.
    ///   - keeper: Takes the content out of the notification.
    init(_ notification: N, from sender: N.Sender, keptBy keeper: NotificationKeeper<N>) {
        let content = Content(join: keeper.keep(notification), value: sender)
        if case .object = N.tag(of: sender) {
            make = { [join = content.join] object in
                guard let sender = object as? N.Sender else { preconditionFailure("the sender was of this type") }
                return join(sender)
            }
        } else {
            make = { _ in content.join(content.value) }
        }
        super.init(isShared: true)
    }

    override func notification(from sender: AnyObject?) -> N { make(sender) }

    /// What joins the content with a sender, and that sender.
    private struct Content: @unchecked Sendable {  // a type that is replayed is `Sendable`, and so is its sender
        let join: @Sendable (N.Sender) -> N
        let value: N.Sender
    }
}
